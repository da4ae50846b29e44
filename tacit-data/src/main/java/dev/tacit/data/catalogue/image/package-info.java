/** Images of digits. */
package dev.tacit.data.catalogue.image;
