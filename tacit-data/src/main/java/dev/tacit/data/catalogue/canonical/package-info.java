/** How prepared tables and their schemas are written. */
package dev.tacit.data.catalogue.canonical;
