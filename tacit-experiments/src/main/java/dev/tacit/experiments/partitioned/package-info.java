/** Tables and figures of private partitioned variational inference (Heikkilä et al.). */
package dev.tacit.experiments.partitioned;
