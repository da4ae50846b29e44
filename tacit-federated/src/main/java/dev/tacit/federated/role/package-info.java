/** What a party runs, whichever protocol its study speaks: the machines of both behind one interface. */
package dev.tacit.federated.role;
