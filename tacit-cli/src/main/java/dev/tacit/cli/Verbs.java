package dev.tacit.cli;

import dev.tacit.cli.account.AccountCommand;
import dev.tacit.cli.account.CalibrateCommand;
import dev.tacit.cli.audit.AuditCommand;
import dev.tacit.cli.dataset.DatasetsCommand;
import dev.tacit.cli.dataset.SchemaCommand;
import dev.tacit.cli.engine.EngineCommand;
import dev.tacit.cli.help.CompletionCommand;
import dev.tacit.cli.help.HelpCommand;
import dev.tacit.cli.ledger.LedgerCommand;
import dev.tacit.cli.parties.CoordinatorCommand;
import dev.tacit.cli.parties.FederateCommand;
import dev.tacit.cli.parties.KeysCommand;
import dev.tacit.cli.parties.PartiesCommand;
import dev.tacit.cli.parties.PartyCommand;
import dev.tacit.cli.parties.StudyCommand;
import dev.tacit.cli.plan.PlanCommand;
import dev.tacit.cli.reproduce.ReproduceCommand;
import dev.tacit.cli.verb.CompareCommand;
import dev.tacit.cli.verb.DemoCommand;
import dev.tacit.cli.verb.DiagnoseCommand;
import dev.tacit.cli.verb.FitCommand;
import dev.tacit.cli.verb.PredictCommand;
import dev.tacit.cli.verb.RefitCommand;
import dev.tacit.cli.verb.ReportCommand;
import dev.tacit.cli.verb.ScoreCommand;
import dev.tacit.cli.verb.SummaryCommand;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The verbs, in the order of the help: a list of values, so that none can be named that cannot be made. */
final class Verbs {
    /**
     * A verb.
     *
     * @param name as it is typed
     * @param command makes its options; only those of the verb that is called are made
     */
    record Entry(String name, Supplier<Object> command) {}

    private static final List<Entry> ENTRIES = List.of(
            new Entry("demo", DemoCommand::new),
            new Entry("fit", FitCommand::new),
            new Entry("summary", SummaryCommand::new),
            new Entry("compare", CompareCommand::new),
            new Entry("refit", RefitCommand::new),
            new Entry("plan", PlanCommand::new),
            new Entry("predict", PredictCommand::new),
            new Entry("score", ScoreCommand::new),
            new Entry("report", ReportCommand::new),
            new Entry("diagnose", DiagnoseCommand::new),
            new Entry("audit", AuditCommand::new),
            new Entry("schema", SchemaCommand::new),
            new Entry("datasets", DatasetsCommand::new),
            new Entry("reproduce", ReproduceCommand::new),
            new Entry("account", AccountCommand::new),
            new Entry("calibrate", CalibrateCommand::new),
            new Entry("ledger", LedgerCommand::new),
            new Entry("engine", EngineCommand::new),
            new Entry("parties", PartiesCommand::new),
            new Entry("keys", KeysCommand::new),
            new Entry("study", StudyCommand::new),
            new Entry("party", PartyCommand::new),
            new Entry("coordinator", CoordinatorCommand::new),
            new Entry("federate", FederateCommand::new),
            new Entry("help", () -> new HelpCommand(Verbs::all)),
            new Entry("completion", () -> new CompletionCommand(Verbs::all)));

    private Verbs() {}

    static List<Entry> entries() {
        return ENTRIES;
    }

    /** The command line with every verb. */
    static CommandLine all() {
        return commandLine(ENTRIES);
    }

    /** The verb that is called, or all of them; setting up a verb takes longer than most answers. */
    static CommandLine calledBy(String[] args) {
        List<Entry> called = ENTRIES.stream()
                .filter(entry -> args.length > 0 && entry.name().equals(args[0]))
                .toList();
        return commandLine(called.isEmpty() ? ENTRIES : called);
    }

    private static CommandLine commandLine(List<Entry> entries) {
        CommandLine root = new CommandLine(new Tacit());
        // a command line of its own each, because only these have what a model transformer adds
        entries.forEach(entry ->
                root.addSubcommand(entry.name(), new CommandLine(entry.command().get())));
        return root;
    }
}
