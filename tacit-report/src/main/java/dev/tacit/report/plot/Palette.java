package dev.tacit.report.plot;

/** The colours that charts and pages share; they follow the reader's light or dark setting, and paper is always light. */
public final class Palette {
    /** How many colours there are for series and shares. */
    public static final int COLOURS = 8;

    private Palette() {}

    /** The colour that stands for the series of a number, going round when there are more series than colours. */
    static int colour(int number) {
        return Math.floorMod(number, COLOURS);
    }

    /** The rules that charts need, for an element of class {@code tacit}. */
    public static String stylesheet() {
        return """
                .tacit { --ink: #1c2330; --soft: #5d6778; --grid: #e3e7ee; --paper: #ffffff; --mark: #1c2330;
                  --c0: #1f5fbf; --c1: #b84a05; --c2: #14795a; --c3: #8b3fc4; --c4: #7d6214; --c5: #b3266f;
                  --c6: #0b6f88; --c7: #565f6e; }
                @media screen and (prefers-color-scheme: dark) {
                  .tacit { --ink: #e8ecf3; --soft: #9aa5b8; --grid: #2b3342; --paper: #141922; --mark: #ffffff;
                    --c0: #7fb2ff; --c1: #ffa45c; --c2: #55cfa0; --c3: #cfa3ff; --c4: #dcc26a; --c5: #ff8fc4;
                    --c6: #62cfe6; --c7: #b4bdca; } }
                .tacit .paper { fill: var(--paper); }
                .tacit text { fill: var(--ink);
                  font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
                .tacit text.title { font-size: 15px; font-weight: 600; }
                .tacit text.soft { fill: var(--soft); }
                .tacit .grid { stroke: var(--grid); stroke-width: 1; }
                .tacit .axis { stroke: var(--soft); stroke-width: 1; }
                .tacit .reference { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 5 4; }
                .tacit .line { fill: none; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; }
                .tacit .dashed { stroke-dasharray: 2 5; }
                .tacit .thin { stroke-width: 1.6; } .tacit .thick { stroke-width: 6; }
                .tacit .leader { stroke-width: 1; opacity: 0.5; }
                .tacit .halo { stroke: var(--paper); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
                .tacit .mark { fill: var(--mark); stroke: var(--paper); stroke-width: 2; }
                .tacit .dot { stroke: var(--paper); stroke-width: 1.5; }
                .tacit .faint { opacity: 0.38; }
                .tacit .band { opacity: 0.18; }
                .tacit .s0 { stroke: var(--c0); } .tacit .t0 { fill: var(--c0); }
                .tacit .s1 { stroke: var(--c1); } .tacit .t1 { fill: var(--c1); }
                .tacit .s2 { stroke: var(--c2); } .tacit .t2 { fill: var(--c2); }
                .tacit .s3 { stroke: var(--c3); } .tacit .t3 { fill: var(--c3); }
                .tacit .s4 { stroke: var(--c4); } .tacit .t4 { fill: var(--c4); }
                .tacit .s5 { stroke: var(--c5); } .tacit .t5 { fill: var(--c5); }
                .tacit .s6 { stroke: var(--c6); } .tacit .t6 { fill: var(--c6); }
                .tacit .s7 { stroke: var(--c7); } .tacit .t7 { fill: var(--c7); }
                .tacit text.t0 { fill: var(--c0); } .tacit text.t1 { fill: var(--c1); }
                .tacit text.t2 { fill: var(--c2); } .tacit text.t3 { fill: var(--c3); }
                .tacit text.t4 { fill: var(--c4); } .tacit text.t5 { fill: var(--c5); }
                .tacit text.t6 { fill: var(--c6); } .tacit text.t7 { fill: var(--c7); }
                .tacit text.onbar { fill: var(--paper); font-weight: 600; }
                .tacit .unspent { fill: var(--grid); }
                """;
    }
}
