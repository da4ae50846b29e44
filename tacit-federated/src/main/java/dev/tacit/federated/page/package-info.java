/** A page on which people watch a study: one file, this machine only, released numbers only. */
package dev.tacit.federated.page;
