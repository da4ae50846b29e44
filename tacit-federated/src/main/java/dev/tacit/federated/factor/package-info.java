/** Studies in which every party adds all of its noise itself: a coordinator sends an approximation, parties send changes of their factors. */
package dev.tacit.federated.factor;
