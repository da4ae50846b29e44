package dev.tacit.fit.federation;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What can be asked of the runtime of several parties; one record for each verb. */
public sealed interface FederationRequest {
    /** Makes the authority of a study, and the coordinator's keys for the names that parties reach it by. */
    record KeysInit(Path out, String study, List<String> hosts) implements FederationRequest {}

    /** Makes a party's keys and the request for its certificate. */
    record KeysParty(String name, Path out) implements FederationRequest {}

    /** Signs a party's request. */
    record KeysSign(Path request, Path authority, Optional<Path> out) implements FederationRequest {}

    /** Shows whose keys, request or certificate something is. */
    record KeysShow(Path path) implements FederationRequest {}

    /** Makes a request for the same keys anew, or signs the coordinator's own certificate anew. */
    record KeysRenew(Path folder, List<String> hosts) implements FederationRequest {}

    /**
     * Drafts a study.
     *
     * @param parties each as NAME:UNITS:REQUEST, the last being the file that keys party made
     * @param authority the folder that keys init made
     */
    record StudyDraft(
            String name,
            Path schema,
            FittedWish fitted,
            double epsilon,
            double delta,
            List<String> parties,
            Path authority,
            Sharing sharing,
            Path out)
            implements FederationRequest {}

    /**
     * What is to be fitted.
     *
     * @param formula in R's syntax; empty for a model of all columns
     * @param family of its response
     * @param model of all columns
     * @param method how it is fitted; empty for the usual one
     * @param settings by name
     */
    record FittedWish(
            Optional<String> formula,
            Optional<String> family,
            Optional<String> model,
            Optional<String> method,
            Map<String, String> settings) {}

    /**
     * How noise is shared.
     *
     * @param colluders how many parties may work together with the coordinator; empty for one
     * @param missing how many may be missing; empty for a third of all but two, or fewer if more may collude
     */
    record Sharing(OptionalInt colluders, OptionalInt missing) {}

    /** Says what a study costs, and whether a policy allows it. */
    record StudyCheck(Path study, Optional<Path> policy) implements FederationRequest {}

    /** Shows a study and its eight words. */
    record StudyShow(Path study) implements FederationRequest {}

    /**
     * Approves a study for a party, which makes the folder that it runs in.
     *
     * @param words what the others read out by telephone; empty if a policy decides
     * @param at where the coordinator is, host:port, or a folder that both sides see
     */
    record PartyApprove(
            Path study,
            String data,
            Path keys,
            Optional<Path> ledger,
            Optional<Path> policy,
            Optional<String> words,
            String at,
            Path out)
            implements FederationRequest {}

    /**
     * Takes part until the study is over.
     *
     * @param folder that was made when the study was approved
     * @param at where the coordinator is now, if it has moved
     */
    record PartyRun(Path folder, Optional<String> at) implements FederationRequest {}

    /** Says where a party stands. */
    record PartyStatus(Path folder) implements FederationRequest {}

    /** The privacy statement of a party. */
    record PartyStatement(Path folder) implements FederationRequest {}

    /**
     * Runs a study.
     *
     * @param authority the folder that keys init made
     * @param at where to listen, host:port, or a folder that all sides see
     * @param page the port of the page on this machine; empty for none
     * @param patienceSeconds how long is waited for parties that may be missing
     * @param givesUp whether a sum that too few answer by then is given up for ever, instead of waited for
     */
    record CoordinatorRun(
            Path study,
            Path authority,
            String at,
            Path out,
            OptionalInt page,
            OptionalInt patienceSeconds,
            boolean givesUp)
            implements FederationRequest {}

    /** Says where a study stands. */
    record CoordinatorStatus(Path folder) implements FederationRequest {}

    /** Makes a coordinator's lost log again from the logs that parties kept. */
    record CoordinatorRebuild(Path study, Path authority, List<Path> logs, Path out) implements FederationRequest {}

    /**
     * Plays a study on this machine with real processes.
     *
     * @param kills how many processes are killed at random times
     * @param delayMillis of every message, each way
     */
    record Simulate(
            String data,
            Path schema,
            FittedWish fitted,
            double epsilon,
            double delta,
            int parties,
            Sharing sharing,
            Path out,
            int kills,
            int delayMillis,
            OptionalInt page)
            implements FederationRequest {}

    /** Recomputes every opened sum from logs. */
    record AuditLogs(List<Path> logs) implements FederationRequest {}
}
