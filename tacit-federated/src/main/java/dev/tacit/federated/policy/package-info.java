/** What a party allows, whoever asks: a file in privacy terms, and verdicts in words. */
package dev.tacit.federated.policy;
