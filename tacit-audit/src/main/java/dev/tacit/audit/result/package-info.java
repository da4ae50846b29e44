/** What an audit says, layer by layer. */
package dev.tacit.audit.result;
