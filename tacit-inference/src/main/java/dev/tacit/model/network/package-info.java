/** Neural networks with Gaussian weights: moments forwards, gradients backwards, and the models made of them. */
package dev.tacit.model.network;
