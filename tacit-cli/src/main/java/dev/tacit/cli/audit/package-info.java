/** {@code tacit audit}: the claim of a fit beside what an attacker gets. */
package dev.tacit.cli.audit;
