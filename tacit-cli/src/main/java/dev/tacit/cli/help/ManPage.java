package dev.tacit.cli.help;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A verb's man page in the man macros of roff (man(7), man-pages(7)), from the description that its help is made of. */
final class ManPage {
    private final CommandLine command;
    private final CommandSpec spec;
    private final String version;
    private final StringBuilder roff = new StringBuilder();

    private ManPage(CommandLine command, String version) {
        this.command = command;
        this.spec = command.getCommandSpec();
        this.version = version;
    }

    /** The pages of a command and of all below it, by the names of their files. */
    static Map<String, String> all(CommandLine command, String version) {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put(name(command) + ".1", new ManPage(command, version).text());
        command.getSubcommands().values().forEach(below -> pages.putAll(all(below, version)));
        return pages;
    }

    /** As man-pages are called: {@code tacit-ledger-show}. */
    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    private String text() {
        line(".TH " + quoted(name(command).toUpperCase(Locale.ROOT)) + " 1 \"\" " + quoted(version) + " \"Tacit\"");
        line(".nh"); // words that can be copied
        line(".ad l");
        section("NAME");
        line(escaped(name(command)) + " \\- " + escaped(title(command)));
        section("SYNOPSIS");
        line(escaped(new Help(spec, Help.defaultColorScheme(Ansi.OFF))
                .synopsis(0)
                .replaceAll("\\s+", " ")
                .strip()));
        if (spec.usageMessage().description().length > 0) {
            section("DESCRIPTION");
            paragraphs(List.of(spec.usageMessage().description()));
        }
        options();
        if (!command.getSubcommands().isEmpty()) {
            section("VERBS");
            command.getSubcommands().forEach((verb, below) -> {
                line(".TP");
                line("\\fB" + escaped(verb) + "\\fR");
                line(escaped(title(below)) + " See \\fB" + escaped(name(below)) + "\\fR(1).");
            });
        }
        if (spec.usageMessage().footer().length > 0) {
            section("EXAMPLES AND NOTES");
            paragraphs(List.of(spec.usageMessage().footer()));
        }
        if (spec.parent() != null) {
            section("SEE ALSO");
            line("\\fB" + escaped(spec.parent().qualifiedName("-")) + "\\fR(1)");
        }
        return roff.toString();
    }

    private void options() {
        if (!spec.positionalParameters().isEmpty()) {
            section("ARGUMENTS");
            for (PositionalParamSpec argument : spec.positionalParameters()) {
                line(".TP");
                line("\\fI" + escaped(argument.paramLabel()) + "\\fR");
                paragraphs(List.of(argument.description()));
            }
        }
        section("OPTIONS");
        for (OptionSpec option : spec.options()) {
            List<String> names = new ArrayList<>();
            for (String each : option.names()) {
                names.add("\\fB" + escaped(each) + "\\fR");
            }
            boolean valued = option.arity().max() > 0;
            line(".TP");
            line(String.join(", ", names) + (valued ? " \\fI" + escaped(option.paramLabel()) + "\\fR" : ""));
            paragraphs(List.of(option.description()));
        }
    }

    private static String title(CommandLine command) {
        CommandLine.Model.UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        String[] words = usage.header().length > 0 ? usage.header() : usage.description();
        return words.length == 0 ? "" : plain(words[0]);
    }

    private void section(String title) {
        line(".SH " + title);
    }

    /** Indented lines are shown as they are, others are filled. */
    private void paragraphs(List<String> lines) {
        boolean asIs = false;
        for (String each : lines) {
            String text = plain(each);
            boolean indented = text.startsWith(" ");
            if (indented != asIs) {
                line(indented ? ".nf" : ".fi");
                asIs = indented;
            }
            if (text.isBlank()) {
                line(".PP");
            } else {
                line(escaped(text));
            }
        }
        if (asIs) {
            line(".fi");
        }
    }

    /** Without picocli's percent signs for {@code String.format}. */
    private static String plain(String text) {
        return text.replace("%n", " ").replace("%%", "%");
    }

    private void line(String text) {
        roff.append(text).append('\n');
    }

    private static String quoted(String text) {
        return "\"" + escaped(text).replace("\"", "\\(dq") + "\"";
    }

    /** Text that roff takes for itself: no requests, no escapes, hyphens that can be copied, characters by their number. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(each -> {
            switch (each) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '\'' -> escaped.append("\\(aq");
                case '`' -> escaped.append("\\(ga");
                case '^' -> escaped.append("\\(ha");
                case '~' -> escaped.append("\\(ti");
                default -> {
                    if (each < 0x80) {
                        escaped.appendCodePoint(each);
                    } else {
                        escaped.append(String.format(Locale.ROOT, "\\[u%04X]", each));
                    }
                }
            }
        });
        return escaped.length() > 0 && escaped.charAt(0) == '.' ? "\\&" + escaped : escaped.toString();
    }
}
