/** The written form of events, plans and answers. */
package dev.tacit.json;
