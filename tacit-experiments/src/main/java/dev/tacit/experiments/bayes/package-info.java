/** Tables and figures of private variational Bayes (Park et al.). */
package dev.tacit.experiments.bayes;
