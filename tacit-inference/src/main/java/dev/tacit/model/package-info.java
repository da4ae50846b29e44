/** Models as capabilities: what an algorithm needs to know about a likelihood and its prior. */
package dev.tacit.model;
