/**
 * R's formulas over declared columns: text to terms, terms to the columns of a design matrix, a record to its row. A row
 * depends on its own cells and on declared facts only, so that a formula costs no privacy.
 */
package dev.tacit.data.formula;
