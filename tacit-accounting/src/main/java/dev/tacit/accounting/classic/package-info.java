/** Basic and advanced composition, the Gaussian limit, groups and trade-off curves. */
package dev.tacit.accounting.classic;
