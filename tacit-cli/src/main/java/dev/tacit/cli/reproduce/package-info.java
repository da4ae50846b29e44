/** The verb that runs published experiments again. */
package dev.tacit.cli.reproduce;
