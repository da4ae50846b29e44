/** Special functions and arithmetic with known error. */
package dev.tacit.accounting.numerics;
