package dev.tacit.cli.account;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.json.EventJson;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.text.SamplingForm;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of a batch: a question about an event, or a budget to calibrate for.
 *
 * <p>Fields are read strictly, because a misspelt one would silently mean something else.
 */
final class BatchRequest {
    private final JsonFields fields;

    BatchRequest(Object json) {
        fields = JsonFields.of(json, "");
    }

    /** What to echo as the name of the request: a string, a number, or null. */
    Object id() {
        Object id = fields.has("id") ? fields.value("id") : null;
        if (id == null || id instanceof String || id instanceof Number) {
            return id;
        }
        throw new JsonFieldException("id", "must be a string or a number");
    }

    /** The answer's JSON object. */
    Map<String, Object> answer(Accounting accounting) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id());
        if (eitherOr("event", "calibrate")) {
            AccountingQuestion question = question();
            answer.put("results", AccountCommand.results(accounting.ask(question)));
            answer.put(question.wanted().givenLabel(), question.given());
            answer.put("neighbours", question.neighbours().label());
        } else {
            answer.putAll(calibration().solve(ExitCode.BAD_DATA).json());
        }
        return answer;
    }

    private AccountingQuestion question() {
        boolean epsilonWanted = eitherOr("delta", "epsilon");
        double given = epsilonWanted ? delta(fields) : epsilon(fields);
        PrivacyEvent event = EventJson.standard().fromValue(fields.value("event"));
        Neighbours neighbours = neighbours(AccountingQuestion.usualNeighbours(event));
        fields.end();
        return new AccountingQuestion(
                event,
                neighbours,
                epsilonWanted ? AccountingQuestion.Wanted.EPSILON : AccountingQuestion.Wanted.DELTA,
                given);
    }

    private Calibration calibration() {
        JsonFields budget = fields.object("calibrate");
        PrivacyBudget target = new PrivacyBudget(epsilon(budget), delta(budget));
        budget.end();
        SamplingForm sampling = fields.has("sampling")
                ? SamplingOption.parse(fields.text("sampling"), "sampling", ExitCode.BAD_DATA)
                : new SamplingForm.None();
        double noiseMultiplier = fields.has("noiseMultiplier")
                ? Numbers.noiseMultiplier(fields.number("noiseMultiplier"), "noiseMultiplier", ExitCode.BAD_DATA)
                : Double.NaN;
        long steps = fields.has("steps") ? Numbers.steps(fields.integer("steps"), "steps", ExitCode.BAD_DATA) : 0;
        String accountant = fields.has("accountant") ? fields.text("accountant") : Accounting.EXACT;
        Neighbours neighbours = neighbours(Calibration.usualNeighbours(sampling));
        fields.end();
        return new Calibration(
                target,
                noiseMultiplier,
                steps,
                sampling,
                neighbours,
                Calibration.accountant(accountant, "accountant", ExitCode.BAD_DATA));
    }

    /** True if the first field is there, false if the second is; exactly one must be. */
    private boolean eitherOr(String first, String second) {
        boolean hasFirst = fields.has(first);
        if (hasFirst == fields.has(second)) {
            throw new JsonFieldException("a request", "has either \"" + first + "\" or \"" + second + "\"");
        }
        return hasFirst;
    }

    private Neighbours neighbours(Neighbours usual) {
        return fields.has("neighbours")
                ? Numbers.neighbours(fields.text("neighbours"), "neighbours", ExitCode.BAD_DATA)
                : usual;
    }

    private static double delta(JsonFields from) {
        return Numbers.delta(from.number("delta"), "delta", ExitCode.BAD_DATA);
    }

    private static double epsilon(JsonFields from) {
        return Numbers.epsilon(from.number("epsilon"), "epsilon", ExitCode.BAD_DATA);
    }
}
