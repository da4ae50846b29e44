/** Verbs that ask what a plan costs, or how much noise a budget needs. */
package dev.tacit.cli.account;
