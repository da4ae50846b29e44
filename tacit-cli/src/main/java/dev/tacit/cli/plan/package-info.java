/** The verb that simulates what a budget would buy. */
package dev.tacit.cli.plan;
