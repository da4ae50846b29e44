/** Help, man pages and completion, all from one description of the command line. */
package dev.tacit.cli.help;
