/** Events learned from outputs, along which two data sets can be told apart. */
package dev.tacit.audit.attack;
