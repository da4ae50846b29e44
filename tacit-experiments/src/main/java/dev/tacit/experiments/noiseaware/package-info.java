/** Tables and figures of noise-aware private variational inference (Alrawajfeh et al.). */
package dev.tacit.experiments.noiseaware;
