/** How much noise a budget needs. */
package dev.tacit.accounting.calibrate;
