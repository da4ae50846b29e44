/** How the door of a party answers what a study asks: the only way to its records. */
package dev.tacit.federated.release;
