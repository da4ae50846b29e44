/** What a file holds of a model, so that its posterior can be used without the method that fitted it. */
package dev.tacit.run.use;
