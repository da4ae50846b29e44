package dev.tacit.report.section;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Keeps lists short enough that a report can be sent by mail, whatever is in them. */
public final class SizeLimit {
    private SizeLimit() {}

    /** Appends the markup of one item after the other until the next would exceed so many bytes; returns how many fit. */
    public static <T> int append(StringBuilder html, List<T> items, Function<T, String> markup, int mostBytes) {
        int bytes = 0;
        for (int i = 0; i < items.size(); i++) {
            String next = markup.apply(items.get(i));
            bytes += next.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > mostBytes) {
                return i;
            }
            html.append(next);
        }
        return items.size();
    }
}
