/** What is asked of records in each round, and the twin table that released moments describe. */
package dev.tacit.glm.twin;
