/** What parties and coordinator say to each other. */
package dev.tacit.partitioned.message;
