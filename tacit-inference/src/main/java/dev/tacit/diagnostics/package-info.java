/** How far predictions, posteriors and chains can be trusted, on rows and truths that may be looked at. */
package dev.tacit.diagnostics;
