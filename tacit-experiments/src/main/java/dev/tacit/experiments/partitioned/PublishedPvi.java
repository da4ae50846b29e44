package dev.tacit.experiments.partitioned;

import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Numbers read off the figures of Heikkilä, Ashman, Swaroop, Turner, Honkela 2023: accuracy to 0.001, log-likelihood to 0.003,
 * means of five seeds.
 *
 * <p>They are not like for like: the published work scales columns by the data, protects one replaced record, and its
 * accounting does not cover what its code samples.
 */
final class PublishedPvi {
    /** Split | method | round accuracy log-likelihood, ... */
    private static final String FIGURES = """
            10 parties, balanced|DP optimisation|1 .779 -.550,2 .799 -.433,3 .818 -.395,5 .829 -.370,10 .837 -.352,15 .839 -.348,20 .838 -.349
            10 parties, balanced|local averaging|2 .809 -.458,5 .827 -.391,10 .836 -.356,15 .837 -.355
            10 parties, balanced|local averaging, aggregator|2 .814 -.410,5 .832 -.381,10 .840 -.342,15 .842 -.339
            10 parties, balanced|virtual clients|2 .799 -.406,3 .820 -.377,5 .831 -.362,10 .838 -.354,15 .840 -.352
            10 parties, balanced|virtual clients, aggregator|2 .835 -.352,3 .837 -.358,5 .842 -.352,15 .847 -.343
            10 parties, balanced|committee, same prior|1 .831 -.439
            10 parties, balanced|committee, split prior|1 .834 -.370
            10 parties, balanced|global VI, trusted curator|100 .795 -.445,200 .821 -.392,500 .837 -.354,1000 .844 -.339,2000 .849 -.329,4000 .849 -.328
            10 parties, unbalanced 1|DP optimisation|1 .776 -.555,2 .797 -.458,3 .813 -.424,5 .826 -.387,10 .834 -.361,15 .839 -.349,20 .841 -.342
            10 parties, unbalanced 1|local averaging|2 .813 -.388,5 .827 -.382,15 .837 -.364
            10 parties, unbalanced 1|local averaging, aggregator|2 .823 -.383,5 .831 -.395,15 .843 -.368
            10 parties, unbalanced 1|virtual clients|2 .815 -.415,3 .821 -.387,5 .830 -.373,10 .836 -.357,15 .838 -.351
            10 parties, unbalanced 1|virtual clients, aggregator|2 .826 -.369,3 .826 -.372,5 .833 -.354,10 .841 -.341,15 .843 -.338
            10 parties, unbalanced 1|committee, same prior|1 .841 -.454
            10 parties, unbalanced 1|committee, split prior|1 .823 -.401
            10 parties, unbalanced 2|DP optimisation|1 .768 -.543,2 .780 -.468,3 .791 -.435,5 .811 -.396,10 .832 -.361,15 .837 -.351,20 .840 -.345
            10 parties, unbalanced 2|local averaging|2 .815 -.446,5 .817 -.401,15 .816 -.382
            10 parties, unbalanced 2|local averaging, aggregator|2 .796 -.415,5 .804 -.401,15 .835 -.371
            10 parties, unbalanced 2|virtual clients|2 .797 -.423,3 .826 -.383,5 .833 -.362,10 .836 -.353,15 .839 -.348
            10 parties, unbalanced 2|virtual clients, aggregator|2 .822 -.399,3 .829 -.376,5 .835 -.358,10 .841 -.341,15 .844 -.337
            10 parties, unbalanced 2|committee, same prior|1 .832 -.466
            10 parties, unbalanced 2|committee, split prior|1 .836 -.368
            200 parties, balanced|DP optimisation|2 .772 -.572,3 .775 -.511,5 .772 -.480,10 .779 -.474,15 .795 -.444,20 .813 -.409
            200 parties, balanced|virtual clients, aggregator|1 .785 -.455,2 .792 -.451,3 .814 -.383,5 .829 -.362,10 .841 -.343,15 .844 -.340
            200 parties, balanced|committee, same prior|1 .777 -.483
            200 parties, balanced|committee, split prior|1 .769 -.483
            200 parties, balanced|global VI, trusted curator|100 .800 -.435,500 .837 -.352,1000 .843 -.338,2000 .849 -.328
            200 parties, unbalanced 1|DP optimisation|2 .759 -.579,3 .771 -.512,5 .775 -.469,10 .786 -.451,15 .799 -.432,20 .816 -.408
            200 parties, unbalanced 1|virtual clients, aggregator|2 .786 -.428,3 .801 -.404,5 .821 -.373,10 .834 -.356,15 .839 -.349
            200 parties, unbalanced 1|committee, same prior|1 .773 -.482
            200 parties, unbalanced 1|committee, split prior|1 .770 -.484
            200 parties, unbalanced 2|committee, same prior|1 .775 -.485
            200 parties, unbalanced 2|committee, split prior|1 .768 -.528
            200 parties, unbalanced 2|DP optimisation|2 .770 -.565,3 .768 -.508,5 .773 -.485,10 .780 -.480,15 .796 -.458,20 .812 -.423
            200 parties, unbalanced 2|virtual clients, aggregator|2 .785 -.471,3 .811 -.418,5 .823 -.384,10 .832 -.358,15 .838 -.35
            network, balanced|DP optimisation|1 .763 -.539,2 .765 -.470,3 .801 -.410,5 .836 -.350,10 .844 -.335,15 .848 -.329,20 .850 -.323
            network, balanced|local averaging|10 .806 -.521,15 .814 -.448,20 .818 -.405,30 .824 -.373,40 .831 -.361
            network, balanced|virtual clients|2 .775 -.422,3 .825 -.374,5 .833 -.358,10 .836 -.350,15 .837 -.347,20 .837 -.350
            network, balanced|one party with all records|100 .763 -.481,200 .797 -.407,500 .839 -.347,1000 .848 -.327,2000 .854 -.315,4000 .856 -.311
            network, unbalanced 1|DP optimisation|1 .763 -.527,2 .765 -.455,3 .801 -.403,5 .833 -.361,10 .843 -.339,15 .848 -.328,20 .851 -.325
            network, unbalanced 1|local averaging|5 .765 -.553,10 .767 -.457,15 .777 -.421,20 .798 -.404,30 .826 -.383,40 .833 -.382
            network, unbalanced 1|virtual clients|2 .799 -.422,3 .827 -.381,5 .837 -.355,10 .836 -.356,15 .834 -.360,20 .831 -.363
            network, unbalanced 2|DP optimisation|2 .766 -.462,3 .788 -.413,5 .832 -.362,10 .843 -.336,15 .848 -.328,20 .851 -.323
            network, unbalanced 2|local averaging|5 .776 -.596,10 .805 -.511,15 .821 -.442,20 .823 -.405,30 .830 -.369,40 .831 -.365
            network, unbalanced 2|virtual clients|2 .763 -.517,3 .777 -.439,5 .802 -.402,10 .821 -.380,15 .826 -.375,20 .832 -.364
            """;

    private PublishedPvi() {}

    private record Read(int round, double accuracy, double logLikelihood) {}

    private static Map<String, List<Read>> of(String split) {
        Map<String, List<Read>> methods = new LinkedHashMap<>();
        FIGURES.lines().forEach(line -> {
            String[] parts = line.strip().split("\\|", -1);
            if (parts[0].equals(split)) {
                List<Read> reads = new ArrayList<>();
                for (String point : parts[2].split(",", -1)) {
                    String[] numbers = point.split(" ", -1);
                    reads.add(new Read(
                            Integer.parseInt(numbers[0]),
                            Double.parseDouble(numbers[1]),
                            Double.parseDouble(numbers[2])));
                }
                methods.put(parts[1], reads);
            }
        });
        return methods;
    }

    /** The last accuracy that was published. */
    static OptionalDouble accuracy(String split, String method) {
        List<Read> reads = of(split).getOrDefault(method, List.of());
        return reads.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(reads.get(reads.size() - 1).accuracy());
    }

    /** The last log-likelihood that was published. */
    static OptionalDouble logLikelihood(String split, String method) {
        List<Read> reads = of(split).getOrDefault(method, List.of());
        return reads.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(reads.get(reads.size() - 1).logLikelihood());
    }

    /** Curves by method; one point where all is one message. */
    static Map<String, List<Series.Point>> curves(String split, boolean accuracy) {
        Map<String, List<Series.Point>> curves = new LinkedHashMap<>();
        of(split).forEach((method, reads) -> {
            curves.put(
                    method,
                    reads.stream()
                            .map(read ->
                                    new Series.Point(read.round(), accuracy ? read.accuracy() : read.logLikelihood()))
                            .toList());
        });
        return curves;
    }
}
