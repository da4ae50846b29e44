/** A fit from request to files: checks, plan, charge, run, writing. */
package dev.tacit.fit.run;
