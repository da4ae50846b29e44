/** What the data holder declares about a table: columns, bounds, who is protected. Nothing here is read off the data. */
package dev.tacit.data.schema;
