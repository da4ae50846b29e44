package dev.tacit.fit.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataLocation;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What somebody wants fitted.
 *
 * @param data file or address of the records
 * @param schema what is declared about them
 * @param model its name
 * @param method its name
 * @param settings by name, as given
 * @param budget what the run may spend; empty for a run that is not private
 * @param out the folder to write
 * @param ledger what is wanted of the ledger of the data
 * @param boundsShare share of the budget for bounds that the schema leaves open; 0 if there are none
 * @param countShare share of the budget for the number of usable units, 0 for none; empty for the usual share, or for
 *     none if parties have the records
 * @param seed of a simulation; empty for a release
 * @param threads how many compute
 */
public record FitRequest(
        String data,
        Schema schema,
        String model,
        String method,
        Map<String, String> settings,
        Optional<PrivacyBudget> budget,
        Path out,
        LedgerRequest ledger,
        double boundsShare,
        OptionalDouble countShare,
        OptionalLong seed,
        int threads) {
    /** What stands between a colon and the {@code @} of an address, and a setting of that name. */
    private static final Pattern PASSWORD = Pattern.compile(
            "(?<=//[^/?#@:]{0,200}):[^/?#]*(?=@)|(?<=[?&; ])password=[^&; ]*", Pattern.CASE_INSENSITIVE);

    /**
     * What was asked for when the run in a folder was started.
     *
     * @param data the address again, if it holds a password, which no folder keeps; empty for the one that was given then
     * @param threads how many compute from now on
     */
    public static FitRequest kept(Path out, Optional<String> data, int threads) {
        FitFolder folder = new FitFolder(out);
        KeptRun run = KeptRun.read(folder);
        if (run.password() && data.isEmpty()) {
            throw FitException.usage("the address of the data held a password, which " + out
                    + " does not keep; give the address again.");
        }
        FitRequest request = run.request(folder, threads);
        return data.isEmpty()
                ? request
                : new FitRequest(
                        data.get(),
                        request.schema,
                        request.model,
                        request.method,
                        request.settings,
                        request.budget,
                        request.out,
                        request.ledger,
                        request.boundsShare,
                        request.countShare,
                        request.seed,
                        threads);
    }

    /** The same for another folder. */
    public FitRequest into(Path folder) {
        return new FitRequest(
                data, schema, model, method, settings, budget, folder, ledger, boundsShare, countShare, seed, threads);
    }

    /** The same text for the same run: what must not change between a run and its resumption. */
    String configuration() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("data", withoutPassword(data));
        json.put("schema", schema.toJson());
        json.put("model", model);
        json.put("method", method);
        json.put("settings", settings);
        budget.ifPresent(wanted -> {
            json.put("epsilon", wanted.epsilon());
            json.put("delta", wanted.delta());
            json.put("boundsShare", boundsShare);
            countShare.ifPresent(share -> json.put("countShare", share));
        });
        ledger.file().ifPresent(file -> json.put("ledger", file.toString()));
        seed.ifPresent(number -> json.put("seed", number));
        return Json.write(json);
    }

    /** An address without the password that it may hold, which neither says what the data are nor may be kept. */
    public static String withoutPassword(String address) {
        return DataLocation.of(address).kind() == DataLocation.Kind.POSTGRES
                ? PASSWORD.matcher(address).replaceAll("")
                : address;
    }

    /** What the run is, in words that stand in the ledger. */
    String label() {
        return ledger.label().orElseGet(() -> method + " of " + model + " on " + dataName());
    }

    /** The data's name without its folder, for reports. */
    String dataName() {
        int slash = Math.max(data.lastIndexOf('/'), data.lastIndexOf('\\'));
        return data.contains("://") ? data.substring(0, data.indexOf("://")) + " table" : data.substring(slash + 1);
    }
}
