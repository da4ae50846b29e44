/** The folder of a fit, who may write to it, and what is read back from it. */
package dev.tacit.fit.folder;
