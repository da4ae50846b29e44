package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.FormulaException;
import dev.tacit.data.formula.Interval;
import dev.tacit.data.formula.Node;
import dev.tacit.data.formula.Term;
import dev.tacit.data.formula.TermExpansion;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.IgnoredColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.NumberTransform;
import dev.tacit.data.schema.Schema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A formula over the columns of a schema: which columns a row of the design matrix has, and how a record becomes one.
 *
 * <p>Columns are in natural units. They are those of R's {@code model.matrix} with treatment contrasts: a factor is coded
 * against its reference where the term without it is in the model before it, and by all its levels otherwise (Chambers and
 * Hastie 1992, page 38). What R would read off the data is declared: levels and references in the schema, knots and
 * constants of {@code poly}, {@code ns} and {@code bs} by the bounds.
 *
 * <p>A row is a function of the record's own cells. Cells outside their bounds are clamped; missing ones follow the schema,
 * and where they have a column of their own, a number counts as the middle of its bounds and {@code x[(missing)]} is 1.
 */
public final class DesignMatrix {
    private static final int MOST_COLUMNS = 20_000;

    private final Formula formula;
    private final Schema schema;
    private final List<ColumnSchema> cells;
    private final List<DesignTerm> terms = new ArrayList<>();
    private final List<Integer> indicatorCells = new ArrayList<>();
    private final List<DesignColumn> columns = new ArrayList<>();
    private final boolean intercept;
    private final List<NumberExpression> offsets = new ArrayList<>();
    private final Optional<NumberExpression> weight;
    private final List<GroupTerm> groups = new ArrayList<>();
    private final List<Variable.Level> groupLevels = new ArrayList<>();
    private final List<Optional<NumberExpression>> groupSlopes = new ArrayList<>();

    /** The cells that each group term is read from, and those that are read for groups alone. */
    private final List<List<Integer>> groupCells = new ArrayList<>();

    private final Set<Integer> onlyGroupCells = new HashSet<>();
    private final Response response;
    private final int mostNonZeros;
    private final int scratch;

    private DesignMatrix(Formula formula, Schema schema) {
        this.formula = formula;
        this.schema = schema;
        Cells used = new Cells(schema, formula);
        Response named = Response.of(formula, new Cells(schema, formula));
        TermExpansion.Expanded expanded = formula.expand(dot(named.columns()));
        this.intercept = expanded.intercept();
        addTerms(expanded, used, named.columns());
        for (Node offset : expanded.offsets()) {
            requireNoResponse(offset, named.columns());
            offsets.add(NumberExpression.of(offset, used, formula));
        }
        formula.weight().ifPresent(node -> requireNoResponse(node, named.columns()));
        this.weight = formula.weight().map(node -> weight(node, used));
        expanded.groups().forEach(group -> requireNoResponse(group, named.columns()));
        int before = used.columns().size();
        expanded.groups().forEach(group -> addGroups(group, used));
        groupCells.forEach(onlyGroupCells::addAll);
        onlyGroupCells.removeIf(place -> place < before);
        this.response = Response.of(formula, used);
        this.cells = List.copyOf(used.columns());
        int room = 0;
        int nonZeros = (intercept ? 1 : 0) + indicatorCells.size();
        for (DesignTerm term : terms) {
            room = Math.max(room, term.scratch());
            nonZeros += term.mostNonZeros();
        }
        this.scratch = room;
        this.mostNonZeros = nonZeros;
        if (columns.isEmpty()) {
            throw formula.problem("the formula has no terms and no intercept, so nothing would be fitted", 0);
        }
    }

    /**
     * Puts a formula and a schema together.
     *
     * @throws FormulaException if the formula does not fit the schema; the message points at the place
     * @throws dev.tacit.data.schema.SchemaException if bounds are still to be bought
     */
    public static DesignMatrix of(Formula formula, Schema schema) {
        return new DesignMatrix(formula, schema);
    }

    /**
     * The formula that uses every declared column once, with the transforms and bins that the schema declares.
     *
     * @throws IllegalArgumentException if the schema has no target
     */
    public static Formula ofAllColumns(Schema schema) {
        String target = schema.target()
                .orElseThrow(() ->
                        new IllegalArgumentException("the schema declares no target; declare one, or give a formula"));
        return Formula.parse(new Node.Name(target, 0) + " ~ .");
    }

    /** What the dot stands for: all columns that are used nowhere else, as the schema encodes them. */
    private List<Node> dot(List<String> responseColumns) {
        Set<String> elsewhere = new HashSet<>(responseColumns);
        TermExpansion.Expanded without = formula.expand(List.of());
        without.offsets().forEach(offset -> elsewhere.addAll(Formula.names(offset)));
        without.groups().forEach(group -> elsewhere.addAll(Formula.names(group.right())));
        formula.weight().ifPresent(node -> elsewhere.addAll(Formula.names(node)));
        List<Node> all = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            if (column instanceof IgnoredColumn || elsewhere.contains(column.name())) {
                continue;
            }
            Node name = new Node.Name(column.name(), 0);
            if (column instanceof NumberColumn number) {
                if (number.scale()) {
                    all.add(
                            number.transform() == NumberTransform.NONE
                                    ? name
                                    : call(number.transform().label(), name));
                }
                if (!number.cuts().isEmpty()) {
                    all.add(call("bins", name));
                }
            } else {
                all.add(name);
            }
        }
        return all;
    }

    private static Node call(String function, Node argument) {
        return new Node.Call(function, List.of(new Node.Argument(Optional.empty(), argument)), 0);
    }

    private void addTerms(TermExpansion.Expanded expanded, Cells used, List<String> responseColumns) {
        List<Variable> variables = new ArrayList<>();
        for (Node node : expanded.variables()) {
            boolean inTerm =
                    expanded.terms().stream().anyMatch(term -> term.places().contains(variables.size()));
            if (inTerm) {
                requireNoResponse(node, responseColumns);
            }
            variables.add(inTerm ? Variable.of(node, used, formula) : null);
        }
        if (intercept) {
            columns.add(
                    new DesignColumn("(Intercept)", DesignColumn.Kind.INTERCEPT, 1, 1, -1, "(Intercept)", "", "at 0"));
        }
        Set<String> indicated = new LinkedHashSet<>();
        int factors = 0;
        boolean firstFactorIsFull = !intercept;
        for (int t = 0; t < expanded.terms().size(); t++) {
            List<Variable> parts = expanded.terms().get(t).places().stream()
                    .map(variables::get)
                    .toList();
            boolean[] full = new boolean[parts.size()];
            for (int i = 0; i < full.length; i++) {
                full[i] = !contrasts(
                        expanded.terms(), t, expanded.terms().get(t).places().get(i));
                if (parts.get(i) instanceof Variable.Factor && firstFactorIsFull) {
                    full[i] = true;
                    firstFactorIsFull = false;
                }
            }
            DesignTerm term;
            try {
                term = new DesignTerm(parts, full, columns.size(), factors);
            } catch (ArithmeticException e) {
                throw tooMany();
            }
            terms.add(term);
            factors += term.isFactor() ? 1 : 0;
            columns.addAll(term.columns());
            if (columns.size() > MOST_COLUMNS) {
                throw tooMany();
            }
            for (Variable part : parts) {
                if (part instanceof Variable.Numbers numeric) {
                    indicated.addAll(numeric.columnsWithMissing());
                }
            }
        }
        for (String name : indicated) {
            indicatorCells.add(used.place(used.column(new Node.Name(name, 0))));
            columns.add(new DesignColumn(
                    name + "[" + Cells.MISSING + "]",
                    DesignColumn.Kind.LEVEL,
                    0,
                    1,
                    factors++,
                    name,
                    Cells.MISSING,
                    "vs the middle of its bounds"));
        }
    }

    /** The cells of the response come last and are nobody else's. */
    private void requireNoResponse(Node node, List<String> responseColumns) {
        if (Formula.names(node).stream().anyMatch(responseColumns::contains)) {
            throw formula.problem("the response cannot stand among the terms, too", node.at());
        }
    }

    private FormulaException tooMany() {
        return formula.problem("the formula makes more than " + MOST_COLUMNS + " columns; leave out interactions", 0);
    }

    /** Whether a factor is coded by contrasts: the rest of its term lies inside a term before it, or is empty. */
    private static boolean contrasts(List<Term> terms, int term, int variable) {
        BitSet rest = bits(terms.get(term));
        rest.clear(variable);
        if (rest.isEmpty()) {
            return true;
        }
        for (int before = 0; before < term; before++) {
            BitSet missing = (BitSet) rest.clone();
            missing.andNot(bits(terms.get(before)));
            if (missing.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static BitSet bits(Term term) {
        BitSet bits = new BitSet();
        term.places().forEach(bits::set);
        return bits;
    }

    private NumberExpression weight(Node node, Cells used) {
        NumberExpression number = NumberExpression.of(node, used, formula);
        if (number.range().lower() < 0) {
            throw formula.problem("a weight is not negative; declare a lower bound of at least 0", node.at());
        }
        return number;
    }

    private void addGroups(Node.Operation bar, Cells used) {
        List<Node> names = GroupReader.groupings(bar.right(), formula);
        for (Optional<Node> slope : GroupReader.slopes(bar, formula)) {
            for (Node grouping : names) {
                Variable.Factor factor = GroupReader.factor(grouping, used, formula);
                groups.add(new GroupTerm(factor.label(), factor.levels(), slope.map(Node::toString)));
                groupLevels.add(factor.level());
                groupSlopes.add(slope.map(node -> NumberExpression.of(node, used, formula)));
                groupCells.add(Formula.names(grouping).stream()
                        .map(name -> used.place(used.column(new Node.Name(name, 0))))
                        .toList());
            }
        }
    }

    /** The formula. */
    public Formula formula() {
        return formula;
    }

    /** What is declared. */
    public Schema schema() {
        return schema;
    }

    /** The columns of a row, in order; the intercept first, if there is one. */
    public List<DesignColumn> columns() {
        return List.copyOf(columns);
    }

    /** How many columns a row has. */
    public int width() {
        return columns.size();
    }

    /** How many columns of a row can differ from zero. */
    public int mostNonZeros() {
        return mostNonZeros;
    }

    /** Whether rows have a constant. */
    public boolean intercept() {
        return intercept;
    }

    /** Whether a known number is added to every record's predictor. */
    public boolean hasOffset() {
        return !offsets.isEmpty();
    }

    /** Whether records have weights. */
    public boolean hasWeight() {
        return weight.isPresent();
    }

    /** The effects of groups. */
    public List<GroupTerm> groups() {
        return List.copyOf(groups);
    }

    /** What is predicted. */
    public Response response() {
        return response;
    }

    /** The declared columns whose cells a record is made from, in the order in which it wants them. */
    public List<ColumnSchema> cells() {
        return cells;
    }

    /** The range of the offset. */
    public double[] offsetRange() {
        Interval range = Interval.of(0);
        for (NumberExpression offset : offsets) {
            range = range.plus(offset.range());
        }
        return new double[] {range.lower(), range.upper()};
    }

    /** Takes the columns of a row that can differ from zero, in ascending order. */
    @FunctionalInterface
    public interface Sink {
        void put(int column, double value);
    }

    /**
     * Makes rows; one for each thread.
     *
     * @param withResponse whether records have the response, whose cells then come last
     */
    public RowMaker rowMaker(boolean withResponse) {
        return new RowMaker(withResponse, Set.of());
    }

    /** Makes rows of records that are to be predicted or scored: their groups may be unknown. */
    public RowMaker rowMakerOfNewRecords(boolean withResponse) {
        return new RowMaker(withResponse, onlyGroupCells);
    }

    /** From the coded cells of one record after the other to its row. */
    public final class RowMaker {
        private final boolean withResponse;
        private final Cells.Reader needed;
        private final double[] values = new double[cells.size()];
        private final double[] room = new double[Math.max(1, scratch)];
        private final boolean[] missing = new boolean[indicatorCells.size()];

        private RowMaker(boolean withResponse, Set<Integer> mayBeUnknown) {
            this.withResponse = withResponse;
            int known = withResponse ? cells.size() : cells.size() - response.cellCount();
            this.needed = new Cells.Reader(cells.subList(0, known), mayBeUnknown);
        }

        /**
         * Reads the coded cells of a record.
         *
         * @return −1, or the place of a missing cell for which the record is refused
         */
        public int read(double[] codes, int first) {
            int refused = needed.read(codes, first, values);
            if (refused >= 0) {
                return refused;
            }
            for (int i = 0; i < missing.length; i++) {
                missing[i] = Double.isNaN(codes[first + indicatorCells.get(i)]);
            }
            return withResponse && Double.isNaN(response.of(values)) ? cells.size() - 1 : -1;
        }

        /** Writes the row of the record that was read. */
        public void write(Sink sink) {
            if (intercept) {
                sink.put(0, 1);
            }
            for (DesignTerm term : terms) {
                term.write(values, room, sink);
            }
            for (int i = 0; i < missing.length; i++) {
                sink.put(columns.size() - missing.length + i, missing[i] ? 1 : 0);
            }
        }

        /** Its offset; 0 if the formula has none. */
        public double offset() {
            double sum = 0;
            for (NumberExpression offset : offsets) {
                sum += offset.of(values);
            }
            return sum;
        }

        /** Its weight; 1 if the formula has none. */
        public double weight() {
            return weight.isPresent() ? weight.get().of(values) : 1;
        }

        /** The place of its level in a group term, −1 if that is unknown. */
        public int group(int term) {
            for (int cell : groupCells.get(term)) {
                if (Double.isNaN(values[cell])) {
                    return -1;
                }
            }
            return groupLevels.get(term).of(values);
        }

        /** What its group's effect is multiplied with: 1 for an intercept. */
        public double slope(int term) {
            Optional<NumberExpression> slope = groupSlopes.get(term);
            return slope.isPresent() ? slope.get().of(values) : 1;
        }

        /** Its response. */
        public double label() {
            return response.of(values);
        }
    }
}
