/** Whether an engine that shares no code agrees, before an epsilon is printed. */
package dev.tacit.accounting.confirm;
