import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes a site of the documentation that needs no server: {@code java docs/Site.java OUT}, from a checkout.
 *
 * <p>The pages are the README, what docs/README.md links, in its order and under its headings, and nothing else. A link that leads
 * nowhere, and a page that nothing links, stop it.
 */
public final class Site {
    /** A page: its source from the root of the checkout, its title, the heading it stands under, and its blocks. */
    record Page(Path source, String title, String group, List<Markdown.Block> blocks) {
        String target() {
            String name = source.toString().replace('\\', '/');
            return name.equals("README.md") ? "index.html" : name.replaceAll("\\.md$", ".html");
        }

        /** The way from this page to a file of the site. */
        String to(String target) {
            return "../".repeat(target().split("/").length - 1) + target;
        }

        List<Markdown.Heading> headings() {
            return blocks.stream()
                    .filter(Markdown.Heading.class::isInstance)
                    .map(Markdown.Heading.class::cast)
                    .toList();
        }
    }

    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)#\\s]+\\.md)\\)");

    private final Path root;
    private final Path out;
    private final Map<Path, Page> pages = new LinkedHashMap<>();
    private final List<String> complaints = new ArrayList<>();

    private Site(Path root, Path out) {
        this.root = root;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: java docs/Site.java OUT");
            System.exit(64);
        }
        Path root = Path.of("").toAbsolutePath();
        while (root != null && !Files.exists(root.resolve("docs/Site.java"))) {
            root = root.getParent();
        }
        if (root == null) {
            System.err.println("site: run it from a checkout.");
            System.exit(66);
        }
        Site site = new Site(root, Path.of(args[0]));
        site.make();
        site.complaints.forEach(complaint -> System.err.println("site: " + complaint));
        if (!site.complaints.isEmpty()) {
            System.exit(65);
        }
        System.out.println("wrote " + site.pages.size() + " pages; open " + site.out.resolve("index.html"));
    }

    private void make() throws IOException {
        add(Path.of("README.md"), "");
        add(Path.of("docs/README.md"), "");
        String group = "";
        for (String line : Files.readAllLines(root.resolve("docs/README.md"))) {
            group = line.startsWith("## ") ? line.substring(3) : group;
            for (Matcher link = LINK.matcher(line); link.find(); ) {
                add(Path.of("docs").resolve(link.group(2)).normalize(), group);
            }
        }
        try (var files = Files.walk(root.resolve("docs"))) {
            files.map(file -> root.relativize(file))
                    .filter(file -> file.toString().endsWith(".md") && !pages.containsKey(file))
                    .forEach(file -> complaints.add("docs/README.md does not link " + file));
        }
        StringBuilder index = new StringBuilder();
        for (Page page : pages.values()) {
            write(page.target(), html(page));
            index(page, index);
        }
        write("search.js", "const entries = [\n" + index + "];\n" + Files.readString(root.resolve("docs/site/search.js")));
        write("style.css", Files.readString(root.resolve("docs/site/style.css")));
    }

    private void add(Path source, String group) throws IOException {
        if (pages.containsKey(source)) {
            return;
        }
        if (!Files.exists(root.resolve(source))) {
            complaints.add("docs/README.md links " + source + ", which is not there");
            return;
        }
        List<Markdown.Block> blocks = Markdown.blocks(Files.readString(root.resolve(source)));
        String title = blocks.get(0) instanceof Markdown.Heading first ? Markdown.plain(first.text()) : source.toString();
        pages.put(source, new Page(source, title, group, blocks));
    }

    private void write(String target, String text) throws IOException {
        Path file = out.resolve(target);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    // ---- links --------------------------------------------------------------------------------------------------------

    /** Where a link of a page leads on the site. */
    private String resolve(Page page, String link) {
        if (link.matches("[a-z]+:.*")) {
            return link;
        }
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        String anchor = hash < 0 ? "" : link.substring(hash);
        Path folder = page.source().getParent() == null ? Path.of("") : page.source().getParent();
        Path source = path.isEmpty() ? page.source() : folder.resolve(path).normalize();
        Page target = pages.get(source);
        if (target != null) {
            if (!anchor.isEmpty()
                    && target.headings().stream().noneMatch(heading -> heading.anchor().equals(anchor.substring(1)))) {
                complaints.add(page.source() + " links " + link + ", and there is no such heading");
            }
            return path.isEmpty() ? anchor : page.to(target.target()) + anchor;
        }
        if (Files.isRegularFile(root.resolve(source)) && !source.startsWith("..")) {
            copy(source);
            return page.to(source.toString().replace('\\', '/')) + anchor;
        }
        complaints.add(page.source() + " links " + link + ", which is not there");
        return link;
    }

    private void copy(Path source) {
        try {
            Path file = out.resolve(source);
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.copy(root.resolve(source), file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- a page -------------------------------------------------------------------------------------------------------

    private String html(Page page) {
        UnaryOperator<String> links = link -> resolve(page, link);
        String body = page.blocks().stream().map(block -> block.html(links)).collect(Collectors.joining("\n"));
        String title = page.target().equals("index.html") ? "Tacit" : page.title() + " · Tacit";
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <link rel="stylesheet" href="%s">
                </head>
                <body data-root="%s">
                <a class="skip" href="#text">Skip to the text</a>
                <header><a class="name" href="%s">Tacit</a>
                <input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
                <label class="menu" for="menu">Contents</label></header>
                <input id="menu" type="checkbox" aria-label="Show the contents">
                <nav aria-label="Pages">%s</nav>
                <main id="text"><div id="found" role="region" aria-live="polite" hidden></div>
                <article>
                %s
                </article>
                %s
                </main>
                <script src="%s"></script>
                </body>
                </html>
                """
                .formatted(
                        Markdown.escape(title),
                        page.to("style.css"),
                        page.to(""),
                        page.to("index.html"),
                        navigation(page),
                        body,
                        neighbours(page),
                        page.to("search.js"));
    }

    private String navigation(Page current) {
        StringBuilder html = new StringBuilder();
        String group = "";
        html.append("<ul>");
        for (Page page : pages.values()) {
            if (!page.group().equals(group)) {
                group = page.group();
                html.append("</ul>\n<h2>").append(Markdown.escape(group)).append("</h2>\n<ul>");
            }
            boolean here = page == current;
            html.append("\n<li><a href=\"").append(current.to(page.target())).append('"');
            html.append(here ? " aria-current=\"page\">" : ">");
            html.append(Markdown.escape(page.target().equals("index.html") ? "Home" : page.title()))
                    .append("</a>");
            List<Markdown.Heading> parts = here ? parts(page) : List.of();
            if (parts.size() > 1) {
                html.append("\n<ul>");
                for (Markdown.Heading part : parts) {
                    html.append("<li><a href=\"#").append(part.anchor()).append("\">");
                    html.append(Markdown.escape(Markdown.plain(part.text()))).append("</a></li>");
                }
                html.append("</ul>");
            }
            html.append("</li>");
        }
        return html.append("</ul>").toString();
    }

    private static List<Markdown.Heading> parts(Page page) {
        return page.headings().stream().filter(heading -> heading.level() == 2).toList();
    }

    /** The pages before and after a page, within its group. */
    private String neighbours(Page page) {
        List<Page> group = pages.values().stream()
                .filter(other -> other.group().equals(page.group()) && !page.group().isEmpty())
                .toList();
        int place = group.indexOf(page);
        StringBuilder html = new StringBuilder("<footer>");
        if (place > 0) {
            html.append(step(page, group.get(place - 1), "prev", "← "));
        }
        if (place >= 0 && place < group.size() - 1) {
            html.append(step(page, group.get(place + 1), "next", "→ "));
        }
        return html.append("</footer>").toString();
    }

    private static String step(Page from, Page to, String relation, String arrow) {
        return "<a rel=\"%s\" href=\"%s\">%s%s</a>"
                .formatted(relation, from.to(to.target()), arrow, Markdown.escape(to.title()));
    }

    // ---- search -------------------------------------------------------------------------------------------------------

    /** One entry for each part of a page: its page, its heading, where it is, and its words. */
    private void index(Page page, StringBuilder to) {
        String heading = "";
        String anchor = "";
        StringBuilder words = new StringBuilder();
        for (Markdown.Block block : page.blocks()) {
            if (block instanceof Markdown.Heading next && next.level() > 1) {
                entry(page, heading, anchor, words, to);
                heading = Markdown.plain(next.text());
                anchor = "#" + next.anchor();
            } else if (!(block instanceof Markdown.Heading)) {
                words.append(block.words()).append(' ');
            }
        }
        entry(page, heading, anchor, words, to);
    }

    private static void entry(Page page, String heading, String anchor, StringBuilder words, StringBuilder to) {
        List<String> fields = List.of(page.title(), heading, page.target() + anchor, words.toString().replaceAll("\\s+", " "));
        to.append(fields.stream().map(Site::quoted).collect(Collectors.joining(",", "[", "],\n")));
        words.setLength(0);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.strip().chars().forEach(c -> {
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append((char) c);
                case '<' -> quoted.append("\\u003c");
                default -> quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}

/**
 * The Markdown of these pages, and no more: headings, paragraphs, lists, tables, blocks of code, images, links, emphasis and code.
 * HTML is shown as text.
 */
final class Markdown {
    /** A part of a page that stands by itself. */
    interface Block {
        String html(UnaryOperator<String> links);

        /** What a search looks through. */
        String words();
    }

    record Heading(int level, String text, String anchor) implements Block {
        @Override
        public String html(UnaryOperator<String> links) {
            return "<h%d id=\"%s\"><a href=\"#%2$s\">%s</a></h%1$d>"
                    .formatted(level, escape(anchor), inline(text, links));
        }

        @Override
        public String words() {
            return plain(text);
        }
    }

    record Paragraph(String text) implements Block {
        @Override
        public String html(UnaryOperator<String> links) {
            return "<p>" + inline(text, links) + "</p>";
        }

        @Override
        public String words() {
            return plain(text);
        }
    }

    record Code(String language, String text) implements Block {
        @Override
        public String html(UnaryOperator<String> links) {
            return "<pre tabindex=\"0\"" + (language.isEmpty() ? "" : " class=\"" + escape(language) + "\"") + "><code>"
                    + escape(text) + "</code></pre>";
        }

        @Override
        public String words() {
            return text;
        }
    }

    record Table(List<String> head, List<List<String>> rows) implements Block {
        @Override
        public String html(UnaryOperator<String> links) {
            StringBuilder html = new StringBuilder("<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
            head.forEach(cell -> html.append("<th>").append(inline(cell, links)).append("</th>"));
            html.append("</tr></thead>\n<tbody>");
            for (List<String> row : rows) {
                html.append("\n<tr>");
                row.forEach(cell -> html.append("<td>").append(inline(cell, links)).append("</td>"));
                html.append("</tr>");
            }
            return html.append("</tbody>\n</table></div>").toString();
        }

        @Override
        public String words() {
            StringBuilder words = new StringBuilder();
            head.forEach(cell -> words.append(plain(cell)).append(' '));
            rows.forEach(row -> row.forEach(cell -> words.append(plain(cell)).append(' ')));
            return words.toString();
        }
    }

    record Items(boolean numbered, List<List<Block>> items) implements Block {
        @Override
        public String html(UnaryOperator<String> links) {
            StringBuilder html = new StringBuilder(numbered ? "<ol>" : "<ul>");
            for (List<Block> item : items) {
                html.append("\n<li>");
                for (Block block : item) {
                    html.append(block instanceof Paragraph only && item.size() == 1 ? inline(only.text(), links) : block.html(links));
                }
                html.append("</li>");
            }
            return html.append(numbered ? "\n</ol>" : "\n</ul>").toString();
        }

        @Override
        public String words() {
            return items.stream().flatMap(List::stream).map(Block::words).collect(Collectors.joining(" "));
        }
    }

    private static final Pattern HEADING = Pattern.compile("(#{1,6}) +(.*?) *#*");
    private static final Pattern ITEM = Pattern.compile("([-*+]|\\d+\\.) +(\\S.*)");
    private static final Pattern DELIMITER = Pattern.compile("\\|? *:?-+:? *(\\| *:?-+:? *)*\\|? *");

    private Markdown() {}

    static String html(String markdown, UnaryOperator<String> links) {
        return blocks(markdown).stream().map(block -> block.html(links)).collect(Collectors.joining("\n"));
    }

    static List<Block> blocks(String markdown) {
        return new Reader(markdown.lines().toList(), new TreeSet<>()).read();
    }

    /** Goes through lines, block by block. */
    private static final class Reader {
        private final List<String> lines;
        private final TreeSet<String> anchors;
        private final List<Block> blocks = new ArrayList<>();
        private int at;

        Reader(List<String> lines, TreeSet<String> anchors) {
            this.lines = lines;
            this.anchors = anchors;
        }

        List<Block> read() {
            while (at < lines.size()) {
                String line = lines.get(at);
                Matcher heading = HEADING.matcher(line);
                if (line.isBlank()) {
                    at++;
                } else if (line.startsWith("```")) {
                    blocks.add(fenced(line.substring(3).strip()));
                } else if (line.startsWith("    ")) {
                    blocks.add(indented());
                } else if (heading.matches()) {
                    blocks.add(new Heading(heading.group(1).length(), heading.group(2), anchor(heading.group(2))));
                    at++;
                } else if (table(at)) {
                    blocks.add(table());
                } else if (ITEM.matcher(line).matches()) {
                    blocks.add(items());
                } else {
                    blocks.add(paragraph());
                }
            }
            return blocks;
        }

        private Block fenced(String info) {
            List<String> code = new ArrayList<>();
            for (at++; at < lines.size() && !lines.get(at).startsWith("```"); at++) {
                code.add(lines.get(at));
            }
            at++;
            return new Code(info.split(" ", 2)[0], String.join("\n", code));
        }

        private Block indented() {
            List<String> code = new ArrayList<>();
            while (at < lines.size() && (lines.get(at).isBlank() || lines.get(at).startsWith("    "))) {
                code.add(lines.get(at).isBlank() ? "" : lines.get(at).substring(4));
                at++;
            }
            return new Code("", String.join("\n", code).stripTrailing());
        }

        private boolean table(int line) {
            return lines.get(line).startsWith("|")
                    && line + 1 < lines.size()
                    && DELIMITER.matcher(lines.get(line + 1)).matches();
        }

        private Block table() {
            List<String> head = cells(lines.get(at));
            List<List<String>> rows = new ArrayList<>();
            for (at += 2; at < lines.size() && lines.get(at).startsWith("|"); at++) {
                rows.add(cells(lines.get(at)));
            }
            return new Table(head, rows);
        }

        private Block items() {
            boolean numbered = Character.isDigit(lines.get(at).charAt(0));
            List<List<Block>> items = new ArrayList<>();
            while (at < lines.size()) {
                Matcher item = ITEM.matcher(lines.get(at));
                if (!item.matches() || Character.isDigit(lines.get(at).charAt(0)) != numbered) {
                    break;
                }
                List<String> inner = new ArrayList<>(List.of(item.group(2)));
                int indent = item.start(2);
                at++;
                while (at < lines.size() && belongs(indent)) {
                    inner.add(unindented(lines.get(at), indent));
                    at++;
                }
                items.add(new Reader(inner, anchors).read());
                while (at < lines.size() - 1 && lines.get(at).isBlank() && ITEM.matcher(lines.get(at + 1)).matches()) {
                    at++;
                }
            }
            return new Items(numbered, items);
        }

        /** Whether the line here goes on with the item whose text begins at a column. */
        private boolean belongs(int indent) {
            String line = lines.get(at);
            if (line.isBlank()) {
                return at + 1 < lines.size() && lines.get(at + 1).startsWith(" ".repeat(indent));
            }
            return line.startsWith(" ".repeat(indent)) || !breaks(line) && !lines.get(at - 1).isBlank();
        }

        private static String unindented(String line, int indent) {
            return line.startsWith(" ".repeat(indent)) ? line.substring(indent) : line.strip();
        }

        private Block paragraph() {
            List<String> text = new ArrayList<>();
            while (at < lines.size() && !lines.get(at).isBlank() && (text.isEmpty() || !breaks(lines.get(at)) && !table(at))) {
                text.add(lines.get(at).strip());
                at++;
            }
            return new Paragraph(String.join("\n", text));
        }

        private static boolean breaks(String line) {
            return line.startsWith("```") || HEADING.matcher(line).matches() || ITEM.matcher(line).matches();
        }

        /** As the places that show Markdown name headings. */
        private String anchor(String heading) {
            String name = plain(heading)
                    .toLowerCase(java.util.Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            String anchor = name;
            for (int k = 1; !anchors.add(anchor); k++) {
                anchor = name + "-" + k;
            }
            return anchor;
        }
    }

    private static List<String> cells(String row) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        String inner = row.strip().replaceAll("^\\|", "");
        for (int i = 0; i < inner.length(); i++) {
            if (inner.startsWith("\\|", i)) {
                cell.append('|');
                i++;
            } else if (inner.charAt(i) == '|') {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(inner.charAt(i));
            }
        }
        if (!cell.toString().isBlank()) {
            cells.add(cell.toString().strip());
        }
        return cells;
    }

    // ---- within a line --------------------------------------------------------------------------------------------------

    /** The words of a line, without what marks them. */
    static String plain(String text) {
        return inline(text, link -> link)
                .replaceAll("<[^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    static String inline(String text, UnaryOperator<String> links) {
        StringBuilder html = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            int end;
            if (c == '\\' && i + 1 < text.length() && "\\`*_{}[]()#+-.!|<>".indexOf(text.charAt(i + 1)) >= 0) {
                html.append(escape(text.substring(i + 1, i + 2)));
                i += 2;
            } else if (c == '`' && (end = codeEnd(text, i)) > 0) {
                int ticks = ticks(text, i);
                String code = code(text.substring(i + ticks, end));
                html.append(code.length() <= 30 ? "<code class=\"short\">" : "<code>").append(escape(code)).append("</code>");
                i = end + ticks;
            } else if (text.startsWith("![", i) && (end = linkEnd(text, i + 1)) > 0) {
                int middle = labelEnd(text, i + 1);
                html.append("<img src=\"").append(escape(links.apply(text.substring(middle + 2, end)))).append("\" alt=\"");
                html.append(escape(text.substring(i + 2, middle).replaceAll("\\s+", " "))).append("\">");
                i = end + 1;
            } else if (c == '[' && (end = linkEnd(text, i)) > 0) {
                int middle = labelEnd(text, i);
                html.append("<a href=\"").append(escape(links.apply(text.substring(middle + 2, end)))).append("\">");
                html.append(inline(text.substring(i + 1, middle), links)).append("</a>");
                i = end + 1;
            } else if (text.startsWith("**", i) && (end = text.indexOf("**", i + 3)) > 0) {
                html.append("<strong>").append(inline(text.substring(i + 2, end), links)).append("</strong>");
                i = end + 2;
            } else if (c == '*' && (end = emphasisEnd(text, i)) > 0) {
                html.append("<em>").append(inline(text.substring(i + 1, end), links)).append("</em>");
                i = end + 1;
            } else {
                html.append(escape(text.substring(i, i + 1)));
                i++;
            }
        }
        return html.toString();
    }

    private static int ticks(String text, int from) {
        int to = from;
        while (to < text.length() && text.charAt(to) == '`') {
            to++;
        }
        return to - from;
    }

    /** Where a span of code is closed by as many ticks as opened it, or -1. */
    private static int codeEnd(String text, int from) {
        int open = ticks(text, from);
        for (int i = from + open; i < text.length(); ) {
            int run = ticks(text, i);
            if (run == open) {
                return i;
            }
            i += Math.max(1, run);
        }
        return -1;
    }

    private static String code(String inner) {
        String line = inner.replace('\n', ' ');
        boolean padded = line.length() > 2 && line.startsWith(" ") && line.endsWith(" ") && !line.isBlank();
        return padded ? line.substring(1, line.length() - 1) : line;
    }

    /** The bracket that closes the label of a link, or -1. */
    private static int labelEnd(String text, int from) {
        int depth = 0;
        for (int i = from; i < text.length(); i++) {
            int code = text.charAt(i) == '`' ? codeEnd(text, i) : -1;
            if (code > 0) {
                i = code + ticks(text, code) - 1;
            } else if (text.charAt(i) == '[') {
                depth++;
            } else if (text.charAt(i) == ']' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /** The parenthesis that closes a link, or -1 if it is none. */
    private static int linkEnd(String text, int from) {
        int middle = labelEnd(text, from);
        if (middle < 0 || !text.startsWith("](", middle)) {
            return -1;
        }
        int end = text.indexOf(')', middle);
        return end > middle + 2 && !text.substring(middle + 2, end).matches(".*\\s.*") ? end : -1;
    }

    /** Where emphasis ends that begins here, or -1: stars in formulas are stars. */
    private static int emphasisEnd(String text, int from) {
        boolean opens = (from == 0 || !Character.isLetterOrDigit(text.charAt(from - 1)))
                && from + 1 < text.length()
                && Character.isLetterOrDigit(text.charAt(from + 1));
        if (!opens) {
            return -1;
        }
        for (int i = from + 2; i < text.length(); i++) {
            boolean closes = text.charAt(i) == '*'
                    && !Character.isWhitespace(text.charAt(i - 1))
                    && (i + 1 == text.length() || !Character.isLetterOrDigit(text.charAt(i + 1)));
            if (closes) {
                return i;
            }
        }
        return -1;
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
