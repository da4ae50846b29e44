/** The papers' tables and figures. */
package dev.tacit.experiments;
