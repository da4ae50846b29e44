/** What the files of a fit hold. */
package dev.tacit.fit.artefact;
