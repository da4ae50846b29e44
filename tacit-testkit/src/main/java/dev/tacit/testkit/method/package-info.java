/** Conformance of models, queries and methods. */
package dev.tacit.testkit.method;
