/** Numbers, tables and sentences for people. */
package dev.tacit.fit.text;
