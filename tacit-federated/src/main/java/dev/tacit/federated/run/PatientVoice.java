package dev.tacit.federated.run;

import dev.tacit.fit.federation.Federation;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.function.UnaryOperator;

/**
 * Tells people at once what happens, and what is waited for only when it has been waited for for a while, and again every few minutes.
 *
 * <p>Most waits of a study are over before anybody could read of them; one that stays is what a person can do something about.
 */
final class PatientVoice {
    /** A little less than a party listens before it looks at what it waits for. */
    static final long LATE_MILLIS = 4_500;

    static final long AGAIN_MILLIS = 300_000;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");
    private static final DateTimeFormatter DAY_AND_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private final Federation.Progress progress;
    private final Times times;
    private String said = "";
    private String standing = "";
    private boolean isAway;
    private String occasion = "";
    private String waiting = "";
    private Instant since;
    private long nextMillis;

    PatientVoice(Federation.Progress progress, Times times) {
        this.progress = progress;
        this.times = times;
        this.since = times.now();
    }

    /** Says what happened, unless it was said last. */
    void says(String sentence) {
        if (!sentence.equals(said)) {
            said = sentence;
            progress.says(sentence);
        }
    }

    /** Says that nobody is reached; until somebody is, it says nothing of where the study stands. */
    void away(String sentence) {
        says(sentence);
        standing = "";
        isAway = true;
    }

    /** Somebody is reached. */
    void back() {
        isAway = false;
    }

    /** Says where the study stands, once. */
    void stands(String sentence) {
        if (!isAway && !sentence.equals(standing)) {
            standing = sentence;
            said = "";
            progress.says(sentence);
        }
    }

    /**
     * Says what is waited for, if it is time.
     *
     * @param begun what began when the waiting began: as long as it is the same, the waiting is
     * @param sentence with words such as {@code " since 20:29"} in it
     * @return since when
     */
    Instant waits(String begun, UnaryOperator<String> sentence) {
        if (!begun.equals(occasion)) {
            occasion = begun;
            since = times.now();
        }
        long now = times.passedMillis();
        String current = sentence.apply("");
        if (!current.equals(waiting)) {
            waiting = current;
            nextMillis = now + LATE_MILLIS;
        } else if (!isAway && now >= nextMillis) {
            nextMillis = now + AGAIN_MILLIS;
            said = "";
            progress.says(sentence.apply(" since " + words(since)));
        }
        return since;
    }

    private String words(Instant moment) {
        ZoneId here = ZoneId.systemDefault();
        boolean today = LocalDate.ofInstant(moment, here).equals(LocalDate.ofInstant(times.now(), here));
        return (today ? TIME : DAY_AND_TIME).withZone(here).format(moment);
    }
}
