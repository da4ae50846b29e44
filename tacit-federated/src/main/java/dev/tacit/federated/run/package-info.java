/** Studies that run: a party with its records, the coordinator with its kernel, what both leave behind, and who checks it. */
package dev.tacit.federated.run;
