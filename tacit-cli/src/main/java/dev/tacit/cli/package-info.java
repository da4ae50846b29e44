/** The {@code tacit} command. */
package dev.tacit.cli;
