/** How the library fails, says how far it is, and writes files that are whole. */
package dev.tacit.fit.base;
