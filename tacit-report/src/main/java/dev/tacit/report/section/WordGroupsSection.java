package dev.tacit.report.section;

import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Groups of words, such as topics: bars for the weightiest words of each, and a table of all groups. */
public final class WordGroupsSection {
    private static final int MOST_DRAWN = 60;
    private static final int WORDS_DRAWN = 10;
    private static final int LONGEST_WORD = 40;

    private WordGroupsSection() {}

    /**
     * One group.
     *
     * @param share of everything, from 0 to 1
     * @param words the weightiest first
     */
    public record Group(String name, double share, List<Word> words) {
        public Group {
            words = List.copyOf(words);
        }
    }

    /**
     * A word.
     *
     * @param lower a probability of 5% lies below
     * @param upper a probability of 5% lies above
     */
    public record Word(String word, double weight, double lower, double upper) {}

    /** The section. */
    public static Section of(String title, String explanation, List<Group> groups) {
        List<Exhibit> exhibits = new ArrayList<>();
        exhibits.add(new Cards(groups.subList(0, Math.min(MOST_DRAWN, groups.size()))));
        List<List<String>> rows = new ArrayList<>();
        for (Group group : groups) {
            rows.add(List.of(
                    group.name(),
                    percent(group.share()),
                    String.join(" ", group.words().stream().map(Word::word).toList())));
        }
        exhibits.add(new Table(
                "All " + Rounding.count(groups.size()) + " groups",
                List.of(Table.Column.text("name"), Table.Column.number("share"), Table.Column.text("words")),
                rows,
                true));
        List<String> prose = new ArrayList<>(List.of(explanation));
        if (groups.size() > MOST_DRAWN) {
            prose.add("Drawn are the " + MOST_DRAWN + " largest of " + Rounding.count(groups.size())
                    + "; the table below has all of them.");
        }
        return new Section(title, prose, exhibits);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    /** Small pictures side by side, one for each group, all on the same scale. */
    private record Cards(List<Group> groups) implements Exhibit {
        private static final int WIDTH = 232;
        private static final int LINE = 17;
        private static final int BAR_LEFT = 104;
        private static final int BAR_WIDTH = 120;

        @Override
        public String html(String id) {
            double largest = groups.stream()
                    .flatMap(group -> group.words().stream().limit(WORDS_DRAWN))
                    .mapToDouble(word -> word.upper() > word.weight() ? word.upper() : word.weight())
                    .max()
                    .orElse(1);
            StringBuilder html = new StringBuilder("<figure class=\"groups\">\n<figcaption>Each bar is the weight of a"
                    + " word in its group; the line across its end is a 90% interval. All bars have the same scale,"
                    + " up to " + percent(largest) + ".</figcaption>\n<div class=\"groupcards\">\n");
            for (int i = 0; i < groups.size(); i++) {
                html.append(card(groups.get(i), id + "-g" + (i + 1), i, largest));
            }
            return html.append("</div>\n</figure>\n").toString();
        }

        private static String card(Group group, String id, int number, double largest) {
            int words = Math.min(WORDS_DRAWN, group.words().size());
            StringBuilder svg = new StringBuilder();
            String name = Markup.escape(Markup.shortened(group.name(), LONGEST_WORD));
            int height = 24 + LINE * words;
            svg.append("<svg class=\"chart\" role=\"img\" viewBox=\"0 0 " + WIDTH + " " + height + "\" ");
            svg.append("aria-labelledby=\"" + id + "\"><title id=\"" + id + "\">" + name + "</title>\n");
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"title\" x=\"0\" y=\"14\">%s</text><text class=\"soft\" x=\"%d\" y=\"14\""
                            + " text-anchor=\"end\">%s</text>\n",
                    name,
                    WIDTH - 8,
                    percent(group.share())));
            for (int i = 0; i < words; i++) {
                Word word = group.words().get(i);
                double y = 24 + LINE * i;
                svg.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>"
                                + "<rect class=\"t%d faint\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"9\"/>"
                                + "<line class=\"s%d thin\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                        BAR_LEFT - 6,
                        y + 9,
                        Markup.escape(Markup.shortened(word.word(), 16)),
                        number % 6,
                        BAR_LEFT,
                        y,
                        BAR_WIDTH * word.weight() / largest,
                        number % 6,
                        BAR_LEFT + BAR_WIDTH * word.lower() / largest,
                        y + 4.5,
                        BAR_LEFT + BAR_WIDTH * word.upper() / largest,
                        y + 4.5));
            }
            return svg.append("</svg>\n").toString();
        }
    }
}
