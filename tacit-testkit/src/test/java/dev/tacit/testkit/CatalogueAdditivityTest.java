package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.audit.exact.AdditivityCheck.Checked;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.run.method.FitMethod;
import dev.tacit.testkit.method.AdditivityConformance;
import dev.tacit.testkit.method.AdditivityConformance.Mistake;
import dev.tacit.testkit.method.CatalogueCase;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One unit moves every release of every method in the catalogue by its own bounded contribution and nothing else, exactly. */
class CatalogueAdditivityTest {
    private static final int UNITS = 6;

    static Stream<CatalogueCase> cases() {
        return CatalogueCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aUnitMovesAReleaseByItsOwnContribution(CatalogueCase each) {
        FitMethod<?, ?> method = each.method();
        boolean oneRecordOnly = onlyOneRecord(method, each);
        Checked checked = Checked.NOTHING;
        boolean even = each.toString().hashCode() % 2 == 0;
        List<Boolean> forms = each.hasStandardWords() ? List.of(false, true) : List.of(even);
        for (boolean sparse : forms) {
            int most = sparse || oneRecordOnly ? 1 : 3;
            SyntheticTable table =
                    SyntheticTable.ordinary(each.shape(), UNITS, most, 3).poisoned(sparse ? 4 : 5);
            checked = checked.plus(AdditivityConformance.check(method, table, sparse, Mistake.NONE));
        }
        assertThat(checked.comparisons()).isEqualTo(2 * UNITS * checked.releases());
        assertThat(checked.largestNorm())
                .as("of a contribution, so that the bound was tried")
                .isPositive();
    }

    /** Parties that take turns and shards protect units of one record, and refuse others. */
    private static boolean onlyOneRecord(FitMethod<?, ?> method, CatalogueCase each) {
        return plan(method, each).view().isPresent();
    }

    private static <M, S extends Record> ReleasePlan plan(FitMethod<M, S> method, CatalogueCase each) {
        return method.kernel().plan(method.model(), each.shape().publicSize());
    }

    private static void check(Mistake mistake) {
        CatalogueCase first = CatalogueCase.all().findFirst().orElseThrow();
        SyntheticTable table = SyntheticTable.ordinary(first.shape(), 8, 1, 3);
        AdditivityConformance.check(first.method(), table, false, mistake);
    }

    @Test
    void aClipThatIsTooWideIsFound() {
        check(Mistake.NONE);
        Mistake unclipped = new Mistake(query -> loud(query, (block, row) -> 1000), bound -> 100 * bound);
        assertThatThrownBy(() -> check(unclipped))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("norm");
    }

    @Test
    void whatAWorkerLeavesBehindIsFound() {
        UnaryOperator<RecordSum> leftover = query -> new ContributionSum() {
            @Override
            public int dimension() {
                return query.dimension();
            }

            @Override
            public Worker worker() {
                Worker worker = ((ContributionSum) query).worker();
                double[] last = new double[1];
                return new Worker() {
                    @Override
                    public void prepare(RecordBlock block) {
                        worker.prepare(block);
                    }

                    @Override
                    public void contribute(RecordBlock block, int row, Contribution contribution) {
                        worker.contribute(block, row, contribution);
                        contribution.add(0, 1e-3 * last[0]);
                        last[0] = block.label(row);
                    }
                };
            }
        };
        assertThatThrownBy(() -> check(new Mistake(leftover, bound -> bound)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("additivity");
    }

    @Test
    void aContributionThatDependsOnItsNeighboursIsFound() {
        UnaryOperator<RecordSum> crowded = query -> loud(query, (block, row) -> 1e-3 * block.rows());
        assertThatThrownBy(() -> check(new Mistake(crowded, bound -> bound)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("additivity");
    }

    /** What a mistaken query adds to a contribution. */
    @FunctionalInterface
    private interface Surplus {
        double of(RecordBlock block, int row);
    }

    private static ContributionSum loud(RecordSum query, Surplus surplus) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return query.dimension();
            }

            @Override
            public Worker worker() {
                Worker worker = ((ContributionSum) query).worker();
                return new Worker() {
                    @Override
                    public void prepare(RecordBlock block) {
                        worker.prepare(block);
                    }

                    @Override
                    public void contribute(RecordBlock block, int row, Contribution contribution) {
                        worker.contribute(block, row, contribution);
                        contribution.add(0, surplus.of(block, row));
                    }
                };
            }
        };
    }
}
