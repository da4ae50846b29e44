package dev.tacit.report.plot;

/** A picture with axes, drawn as static SVG. */
public interface Chart {
    /** What the chart shows, in a few words. */
    String title();

    /** What a reader who cannot see the chart should know. */
    String description();

    /** The size of the picture. */
    Frame frame();

    /** The elements inside the {@code svg} element; {@code id} tells several charts of a page apart. */
    String elements(String id);

    /** The whole picture, to be put into a page. */
    default String svg(String id) {
        return """
                <svg class="chart" role="img" viewBox="0 0 %d %d" aria-labelledby="%s-t %s-d">
                <title id="%s-t">%s</title>
                <desc id="%s-d">%s</desc>
                %s</svg>
                """.formatted(
                        frame().width(),
                        frame().height(),
                        id,
                        id,
                        id,
                        Markup.escape(title()),
                        id,
                        Markup.escape(description()),
                        elements(id + "-c"));
    }
}
