/** What people write: numbers, ways of sampling, and names that are nearly right. */
package dev.tacit.text;
