/** What every verb needs: arguments, console, exit codes, tables, files. */
package dev.tacit.cli.shell;
