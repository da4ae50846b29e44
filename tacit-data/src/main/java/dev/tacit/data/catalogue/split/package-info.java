/** Which rows train and which test, as published. */
package dev.tacit.data.catalogue.split;
