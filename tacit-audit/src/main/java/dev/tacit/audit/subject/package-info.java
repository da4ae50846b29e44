/** What is audited: a method, its plan, its claim, and the door that it goes through. */
package dev.tacit.audit.subject;
