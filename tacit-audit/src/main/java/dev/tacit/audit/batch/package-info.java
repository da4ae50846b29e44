/** Whether batches have the law that is paid for. */
package dev.tacit.audit.batch;
