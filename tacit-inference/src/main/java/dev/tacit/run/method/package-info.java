/** Which methods fit which models, with their settings and limits. */
package dev.tacit.run.method;
