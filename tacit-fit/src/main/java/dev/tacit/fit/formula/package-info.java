/** Terms of a formula in natural units: tables, contrasts, predictions, priors. */
package dev.tacit.fit.formula;
