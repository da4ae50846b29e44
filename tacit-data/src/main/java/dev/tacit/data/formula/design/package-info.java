/** From a parsed formula to the columns of its design matrix. */
package dev.tacit.data.formula.design;
