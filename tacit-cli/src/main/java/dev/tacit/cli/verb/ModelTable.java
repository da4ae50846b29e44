package dev.tacit.cli.verb;

import dev.tacit.run.method.MethodCatalogue;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** Adds to the help of a verb the models of the catalogue, each with its methods, so that the list is never out of date. */
final class ModelTable implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
        List<String> lines = new ArrayList<>(List.of(spec.usageMessage().description()));
        lines.add("Models, each with its methods, the default first:");
        List<String> models = MethodCatalogue.models();
        int width = models.stream().mapToInt(String::length).max().orElseThrow();
        for (String model : models) {
            lines.add("  " + model + " ".repeat(width - model.length() + 2)
                    + String.join(", ", MethodCatalogue.methods(model)));
        }
        spec.usageMessage().description(lines.toArray(String[]::new));
        return spec;
    }
}
