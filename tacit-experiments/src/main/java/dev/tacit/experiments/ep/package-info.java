/** Tables and figures of private stochastic expectation propagation (Vinaroz and Park). */
package dev.tacit.experiments.ep;
