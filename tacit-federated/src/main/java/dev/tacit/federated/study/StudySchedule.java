package dev.tacit.federated.study;

import dev.tacit.run.method.FitMethod;
import dev.tacit.text.Spelling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who waits for whom in a study: under masks all for all, and with noise of their own nobody if it is asynchronous. */
final class StudySchedule {
    private static final String SCHEDULE = "schedule";
    private static final String SYNCHRONOUS = "synchronous";
    private static final String ASYNCHRONOUS = "asynchronous";

    private StudySchedule() {}

    /** Refuses schedules that parties on machines of their own do not have. */
    static void require(Map<String, String> settings, boolean own) {
        String given = settings.getOrDefault(SCHEDULE, SYNCHRONOUS);
        if (given.equals(SYNCHRONOUS) || (own && given.equals(ASYNCHRONOUS))) {
            return;
        }
        if (given.equals(ASYNCHRONOUS)) {
            throw new StudyException(
                    "sums under masks wait for all parties; schedule=asynchronous needs a study without"
                            + " masks (--set way=dp-optimisation)");
        }
        List<String> choices = own ? List.of(SYNCHRONOUS, ASYNCHRONOUS) : List.of(SYNCHRONOUS);
        throw new StudyException("the setting schedule must be " + String.join(" or ", choices) + " in a study"
                + Spelling.hint(given, choices)
                + (given.equals("sequential") ? ", whose parties do not take turns" : ""));
    }

    /** What one table, which plans and twins are made for, has in its place: nobody works there while others do. */
    static void onOneTable(Map<String, String> settings) {
        settings.put(SCHEDULE, SYNCHRONOUS);
    }

    static boolean isAsynchronous(Study.Fitted fitted) {
        return ASYNCHRONOUS.equals(fitted.settings().get(SCHEDULE));
    }

    /** The same method, of which the fit says how parties really worked. */
    static <M, S extends Record> FitMethod<M, S> as(FitMethod<M, S> method, Study.Fitted fitted) {
        Map<String, Object> settings = new LinkedHashMap<>(method.settings());
        settings.put(SCHEDULE, isAsynchronous(fitted) ? ASYNCHRONOUS : SYNCHRONOUS);
        return new FitMethod<>(
                method.modelName(),
                method.kernel(),
                method.model(),
                method.use(),
                settings,
                method.withoutPrivacyNoise());
    }
}
