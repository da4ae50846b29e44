/** Files that survive a crash: written whole or not at all, durable when the call returns, and readable by their owner only where that is asked for. */
package dev.tacit.file;
