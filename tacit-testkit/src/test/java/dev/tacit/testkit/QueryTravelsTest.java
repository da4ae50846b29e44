package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.query.ContributionSum;
import dev.tacit.testkit.method.CatalogueCase;
import dev.tacit.testkit.method.CatalogueShapes;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every query of every method in the catalogue can be sent to where records are, and is the same there. */
class QueryTravelsTest {
    private static final int UNITS = 6;

    static Stream<CatalogueCase> cases() {
        return CatalogueCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyQueryOfEveryReleaseTravels(CatalogueCase each) {
        boolean sparse = each.toString().hashCode() % 2 == 0;
        SyntheticTable table =
                SyntheticTable.ordinary(each.shape(), UNITS, 1, 3).poisoned(5);
        assertThat(QueryTravels.check(each.method(), table, sparse)).isPositive();
    }

    /** Counts the records so often as it says. */
    private static class Counted implements ContributionSum {
        private static final long serialVersionUID = 1;

        private final double weight;

        Counted(double weight) {
            this.weight = weight;
        }

        double weight() {
            return weight;
        }

        @Override
        public int dimension() {
            return 1;
        }

        @Override
        public Worker worker() {
            return (block, row, contribution) -> contribution.add(0, weight());
        }
    }

    /** Leaves a number behind. */
    private static final class Forgetful extends Counted {
        private static final long serialVersionUID = 1;

        private final transient double forgotten = Math.nextUp(0.25);

        Forgetful() {
            super(0.5);
        }

        @Override
        double weight() {
            return super.weight() + forgotten;
        }
    }

    /** Holds on to something that cannot be written down. */
    private static final class Attached extends Counted {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // what this is about
        private final Object held = new Object();

        Attached() {
            super(0.5);
        }

        @Override
        double weight() {
            return held == null ? 0 : super.weight();
        }
    }

    @Test
    void aQueryThatArrivesAsSomethingElseIsFound() {
        SyntheticTable table = SyntheticTable.ordinary(CatalogueShapes.ALL.get(0), UNITS, 1, 3);
        PrivateDataset data = table.dataset(false, 1);
        PrivateSession session = QueryTravels.session(data, ReleasePlan.of("count", 3, 1, new FullPass()));
        assertThat(session.release(new Counted(0.5), 1).integers()).hasSize(1);
        assertThatThrownBy(() -> session.release(new Forgetful(), 1))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("query that travelled");
        assertThatThrownBy(() -> session.release(new Attached(), 1))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("java.lang.Object does not");
    }
}
