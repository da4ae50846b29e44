/** What is signed and sent in a study, by whom it may be, and how it is refused. */
package dev.tacit.federated.message;
