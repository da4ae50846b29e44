/** Families of responses and their links. */
package dev.tacit.glm.family;
