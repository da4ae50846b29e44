/** Fast ways to compute what records contribute; not trusted with norms. */
package dev.tacit.query;
