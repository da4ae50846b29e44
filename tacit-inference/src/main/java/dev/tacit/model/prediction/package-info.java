/** What a fitted model is used for: predictions, findings. */
package dev.tacit.model.prediction;
