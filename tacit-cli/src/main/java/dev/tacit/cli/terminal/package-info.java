/** What the process is connected to, and what may be drawn there. */
package dev.tacit.cli.terminal;
