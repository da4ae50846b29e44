package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.cli.account.PointByPoint;
import dev.tacit.cli.shell.Progress;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PointByPointTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 17, 33, 100})
    void everyPointComesOnceAndTheEndsComeFirst(int points) {
        assertThat(PointByPoint.coarsestFirst(points))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, points).boxed().toList())
                .startsWith(0);
    }

    @Test
    void withTimeAllPointsAreThereInOrder() {
        Map<Integer, Integer> values =
                new PointByPoint(60).compute(33, point -> point * point, Progress.of("test", 33));
        assertThat(values.keySet())
                .containsExactlyElementsOf(IntStream.range(0, 33).boxed().toList());
        assertThat(values).containsEntry(32, 1024);
    }

    @Test
    void pointsThatTakeTooLongAreLeftOut() {
        CountDownLatch never = new CountDownLatch(1);
        Map<Integer, Integer> values = new PointByPoint(0.5)
                .compute(
                        5,
                        point -> {
                            if (point == 1) {
                                awaitOrGiveUp(never);
                            }
                            return point;
                        },
                        Progress.of("test", 5));
        assertThat(values).containsKeys(0, 2, 4).doesNotContainKey(1);
    }

    @Test
    void aDefectIsNotDrawnOver() {
        PointByPoint curve = new PointByPoint(60);
        assertThatThrownBy(() -> curve.compute(
                        3,
                        point -> {
                            throw new ArithmeticException("a defect");
                        },
                        Progress.of("test", 3)))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void awaitOrGiveUp(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
