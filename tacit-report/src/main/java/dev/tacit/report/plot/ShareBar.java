package dev.tacit.report.plot;

import dev.tacit.report.text.Rounding;
import java.util.List;

/**
 * One bar cut into shares of a whole.
 *
 * @param title what is shared out
 * @param caption how to read it
 * @param shares from left to right; what is missing to 1 is drawn as left over, and more than 1 is scaled to 1
 */
public record ShareBar(String title, String caption, List<Share> shares) implements Exhibit {
    private static final int HEIGHT = 38;
    private static final int LONGEST_NAME = 60;
    private static final double ROOM_FOR_TEXT = 0.12;

    /** A named share between 0 and 1. */
    public record Share(String name, double share) {
        public Share {
            name = Markup.shortened(name, LONGEST_NAME);
        }

        double usable() {
            return share > 0 && Double.isFinite(share) ? share : 0;
        }
    }

    public ShareBar {
        shares = List.copyOf(shares);
    }

    @Override
    public String html(String id) {
        double total = shares.stream().mapToDouble(Share::usable).sum();
        double scale = total > 1 ? 1 / total : 1;
        Svg svg = new Svg();
        svg.raw("<figure class=\"shares\" id=\"" + id + "\">\n<figcaption><b>" + Markup.escape(title) + "</b> ");
        svg.raw(Markup.escape(caption) + "</figcaption>\n");
        svg.raw("<svg width=\"100%\" height=\"" + HEIGHT + "\" role=\"img\" aria-labelledby=\"" + id + "-d\">\n");
        svg.raw("<desc id=\"" + id + "-d\">" + Markup.escape(description(total)) + "</desc>\n");
        svg.rectangle("unspent", "0%", 0, "100%", HEIGHT);
        double left = 0;
        for (int i = 0; i < shares.size(); i++) {
            Share share = shares.get(i);
            double width = share.usable() * scale;
            svg.group(share.name() + ": " + Rounding.share(share.usable()));
            svg.rectangle(
                    "dot t" + Palette.colour(i), Svg.percent(left), 0, Svg.percent(Math.min(width, 1 - left)), HEIGHT);
            if (width > ROOM_FOR_TEXT) {
                svg.text("onbar", Svg.percent(left + width / 2), 24, "middle", Rounding.share(share.usable()));
            }
            svg.endGroup();
            left = Math.min(1, left + width);
        }
        svg.raw("</svg>\n<p class=\"keys\">");
        for (int i = 0; i < shares.size(); i++) {
            Share share = shares.get(i);
            key(svg, "t" + Palette.colour(i), share.name() + ", " + Rounding.share(share.usable()));
        }
        if (total < 0.995) {
            key(svg, "unspent", "left over, " + Rounding.share(1 - total));
        }
        return svg.raw("</p>\n</figure>\n").toString();
    }

    private static void key(Svg svg, String style, String name) {
        svg.raw("<span class=\"key\"><svg width=\"14\" height=\"14\" aria-hidden=\"true\">");
        svg.rectangle(style, "1", 1, "12", 12)
                .raw("</svg>")
                .raw(Markup.escape(name))
                .raw("</span> ");
    }

    private String description(double total) {
        StringBuilder text = new StringBuilder(title);
        for (Share share : shares) {
            text.append("; ").append(share.name()).append(' ').append(Rounding.share(share.usable()));
        }
        return total < 0.995
                ? text.append("; left over ")
                        .append(Rounding.share(1 - total))
                        .append('.')
                        .toString()
                : text.append('.').toString();
    }
}
