/** Latent Dirichlet allocation. */
package dev.tacit.model.topics;
