package dev.tacit.federated.study;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.Schema;
import dev.tacit.fit.formula.Family;
import dev.tacit.report.plot.Markup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a study fits, for those who are asked for their records. */
public final class FittedText {
    private final Study.Fitted fitted;

    public FittedText(Study.Fitted fitted) {
        this.fitted = fitted;
    }

    /** The formula, in R's syntax; empty if all declared columns are fitted. */
    public Optional<String> formula() {
        return fitted.schema().encoding().formula();
    }

    /** The columns of a party's table that are read, in the order of the schema; none of documents. */
    public List<String> reads() {
        Schema schema = fitted.schema();
        Set<String> used = new LinkedHashSet<>();
        if (formula().isPresent()) {
            DesignMatrix.of(Formula.parse(formula().get()), schema).cells().forEach(column -> used.add(column.name()));
        } else {
            schema.features().forEach(column -> used.add(column.name()));
            schema.target().ifPresent(used::add);
        }
        schema.unit().idColumn().ifPresent(used::add);
        return schema.columns().stream()
                .map(ColumnSchema::name)
                .filter(used::contains)
                .toList();
    }

    /** The lines of an answer; whoever drafted the study chose the names in them, which steer no terminal. */
    public List<String> lines() {
        String model = Family.ofModel(fitted.model()).map(Family::withLink).orElse(fitted.model());
        List<String> lines = new ArrayList<>();
        lines.add("  fits       "
                + line(formula()
                        .map(text -> text + ", " + model)
                        .orElseGet(() -> fitted.model()
                                + fitted.schema()
                                        .target()
                                        .map(target -> " of " + target)
                                        .orElse("")
                                + ", with all declared columns")));
        lines.add("  reads      " + (reads().isEmpty() ? "documents" : line(String.join(", ", reads()))));
        return lines;
    }

    private static String line(String text) {
        return Markup.printable(text.replaceAll("\\s+", " "));
    }
}
