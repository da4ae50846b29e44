/** From released sums to a posterior. */
package dev.tacit.glm.solve;
