/**
 * How fast Tacit is, beside other libraries and beside what the machine can do at all.
 *
 * <p>One command prints one table, our times measured in that run next to the recorded times of other libraries:
 *
 * <pre>
 *   tacit-benchmarks/run side-by-side
 * </pre>
 *
 * <p>{@code tacit-benchmarks/run beside-numpy} does the same for releases through the door, with numpy measured in the
 * same run, {@code beside-stan} for the No-U-Turn sampler, with rstan measured in the same run, and {@code noise-aware}
 * for the exact noise-aware posterior beside NUTS.
 *
 * <p>Everything else is JMH: {@code tacit-benchmarks/run -l} lists the benchmarks, {@code tacit-benchmarks/run
 * Accounting} runs those whose name matches. No unit test looks at a time. Peers' seconds are in {@code peers.json}
 * with where they come from; what can be measured here is measured in the same run instead: commons-rng for normal
 * numbers, plain AES for random bits, plain fsync for durable writes.
 */
package dev.tacit.benchmarks;
