/** Effects of groups and their spread. */
package dev.tacit.glm.group;
