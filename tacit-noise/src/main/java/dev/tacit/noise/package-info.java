/** Random bits and exact noise, for releases and for simulations. */
package dev.tacit.noise;
