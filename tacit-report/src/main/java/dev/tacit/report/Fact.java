package dev.tacit.report;

import java.util.Objects;

/** A name and what it is, as text. */
public record Fact(String name, String value) {
    public Fact {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }
}
