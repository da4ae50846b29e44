/** Tables in JSON and NDJSON files: a bad record is a void record. */
package dev.tacit.data.source.json;
