/** What every experiment needs: options, rows of results, figures, simulated runs. */
package dev.tacit.experiments.harness;
