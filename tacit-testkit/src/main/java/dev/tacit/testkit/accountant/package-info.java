/** Conformance of accountants and golden cases. */
package dev.tacit.testkit.accountant;
