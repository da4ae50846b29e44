/** Tables in CSV files: one odd record changes no other. */
package dev.tacit.data.source.csv;
