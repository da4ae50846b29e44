/** Verbs of several parties: they parse and print, and ask the module of the runtime, which is loaded then and not before. */
package dev.tacit.cli.parties;
