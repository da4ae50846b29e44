package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.factor.ChangeRebuild;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.PostOffice;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.json.Json;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.MessageJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A party that sends numbers that no approximation survives is left out, and the others end the study. */
class UnusableChangesTest {
    private static final int LIAR = 2;

    @TempDir
    Path folder;

    private StudyPlan plan;
    private final List<ChangeDisk> disks = List.of(new ChangeDisk(), new ChangeDisk(), new ChangeDisk());
    private final ChangeDisk log = new ChangeDisk();

    private Envelope lie(int place, Envelope asked, double value) {
        double[] numbers = new double[plan.changes().orElseThrow().prior().naturalParameters().length];
        Arrays.fill(numbers, value);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ledger", "00");
        json.put(
                "change",
                MessageJson.toValue(
                        new Message.FactorChange("party-" + place, asked.round(), DoubleVector.of(numbers), 0, 0)));
        return Envelope.signed(
                StudyFixture.identity(place + 1),
                plan.terms().binding(),
                asked.round(),
                MessageKind.CHANGE,
                place,
                asked.hash(),
                Json.write(json).getBytes(StandardCharsets.UTF_8));
    }

    /** Everything that is in the logs of parties, the liar's being what an honest one would have kept. */
    private List<Envelope> kept() {
        List<Envelope> kept = new ArrayList<>();
        disks.forEach(
                disk -> kept.addAll(EnvelopeHistory.of(disk.journal.entries()).envelopes()));
        return kept;
    }

    @ParameterizedTest
    @CsvSource({
        "1e308, false, 0",
        "-1e308, false, 1",
        "1e308, true, 0",
        "-1e308, true, 1",
        "Infinity, false, 1",
        "NaN, true, 0",
    })
    void theOthersEndTheStudy(double value, boolean asynchronous, int missing) throws ProtocolRefusal {
        plan = ChangeStorm.plan(asynchronous, missing);
        ChangeCoordinator coordinator = ChangeCoordinator.open(
                plan.terms(), plan.changes().orElseThrow(), StudyFixture.identity(99), log.journal);
        Deque<Outgoing> down = new ArrayDeque<>(coordinator.start());
        while (!coordinator.isOver()) {
            assertThat(down).as("somebody is asked").isNotEmpty();
            Outgoing next = down.poll();
            List<Envelope> answers;
            if (next.party() == LIAR) {
                answers = List.of(lie(LIAR, next.envelope(), value));
                disks.get(LIAR)
                        .journal
                        .append(List.of(
                                next.envelope().toBytes(), answers.get(0).toBytes()));
            } else {
                ChangeParty party = ChangeStorm.party(plan, next.party(), disks.get(next.party()));
                answers = party.receive(next.envelope().toBytes());
                assertThat(party.lastRefusal()).isEmpty();
            }
            for (Envelope answer : answers) {
                down.addAll(coordinator.receive(answer.toBytes()));
            }
        }
        assertThat(coordinator.used(LIAR)).isZero();
        assertThat(coordinator.used(0)).isEqualTo(3);
        assertThat(Arrays.stream(coordinator.global().naturalParameters())).allMatch(Double::isFinite);
        assertThat(coordinator.refusals().get(LIAR).sentence())
                .isEqualTo(
                        "the answer of party party-2 has numbers that no change of a factor can have, and is left out");
        assertThat(replayed(log)).isEqualTo(coordinator.global());

        ChangeDisk made = new ChangeDisk();
        coordinator
                .outstanding()
                .forEach(each -> disks.get(each.party())
                        .journal
                        .append(List.of(each.envelope().toBytes())));
        made.journal.append(ChangeRebuild.entries(
                plan.terms(), plan.changes().orElseThrow(), StudyFixture.identity(99), kept(), 0));
        assertThat(replayed(made)).isEqualTo(coordinator.global());
    }

    private Object replayed(ChangeDisk disk) throws ProtocolRefusal {
        return ChangeCoordinator.replayed(plan.terms(), plan.changes().orElseThrow(), disk.journal, true)
                .global();
    }

    /** However many there are, the largest numbers that are taken leave an approximation that parties can work with. */
    @ParameterizedTest
    @CsvSource({"1e200, false", "-1e200, false", "1e200, true", "-1e200, true"})
    void whatIsTakenIsProper(double value, boolean asynchronous) throws IOException, ProtocolRefusal {
        plan = ChangeStorm.plan(asynchronous, 0);
        assertThat(run(value, 1).fitted().posterior().mean()).doesNotContain(Double.NaN);
    }

    @Test
    void withoutAnyChangeThereIsNoFit() {
        plan = ChangeStorm.plan(false, 0);
        assertThatThrownBy(() -> run(1e308, 3))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("no party gave a change that can be used");
        assertThat(folder.resolve("posterior.json")).doesNotExist();
    }

    /** What the coordinator's program does, with so many liars behind the honest parties. */
    private FitOutcome run(double value, int liars) throws IOException, ProtocolRefusal {
        List<byte[]> up = new ArrayList<>();
        PostOffice office = new PostOffice() {
            @Override
            public void post(String name, Envelope envelope) {
                int place = plan.study().place(name);
                if (place < disks.size() - liars || envelope.kind() != MessageKind.STATE) {
                    ChangeStorm.party(plan, place, disks.get(place))
                            .receive(envelope.toBytes())
                            .forEach(answer -> up.add(answer.toBytes()));
                } else {
                    up.add(lie(place, envelope, value).toBytes());
                }
            }

            @Override
            public List<byte[]> collect(Duration time) {
                List<byte[]> all = List.copyOf(up);
                up.clear();
                return all;
            }

            @Override
            public void close() {}
        };
        Files.createDirectories(folder);
        return new ChangeRun(
                        plan,
                        StudyFixture.identity(99),
                        log.journal,
                        office,
                        new Waiting(Duration.ofHours(1), false),
                        PlayedParties.SILENT,
                        MovedClock.times(new MovedClock(Duration.ofMillis(100))))
                .run(new FitFolder(folder));
    }
}
