package dev.tacit.testkit.method;

import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.engine.Plans;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.method.FitMethod;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * One line for every case of the catalogue, with a digest of all that its full passes released: two versions of the door that
 * print the same lines on one machine release the same bits.
 *
 * <p>Machines differ in the last bits of elementary functions, so the lines of one mean nothing on another.
 */
public final class ReleaseDigests {
    private static final int UNITS = 40;
    private static final double NOISE_MULTIPLIER = 3;

    private ReleaseDigests() {}

    /** Prints the lines. */
    public static void main(String[] arguments) {
        lines().forEach(System.out::println);
    }

    /** Dense rows, sparse rows and persons of up to three records, each a line. */
    public static Stream<String> lines() {
        return CatalogueCase.all()
                .flatMap(each -> Stream.of("dense", "sparse", "persons").map(form -> line(each, form)));
    }

    private static String line(CatalogueCase each, String form) {
        SyntheticTable table = SyntheticTable.ordinary(each.shape(), UNITS, form.equals("persons") ? 3 : 1, 3)
                .poisoned(5);
        return each + " " + form + " " + digest(each.method(), table, form.equals("sparse"));
    }

    private static <M, S extends Record> String digest(FitMethod<M, S> method, SyntheticTable table, boolean sparse) {
        ReleasePlan plan = Plans.withoutSampling(
                method.kernel().plan(method.model(), table.shape().publicSize()));
        PrivateDataset data = table.dataset(sparse, table.mostRecords());
        MessageDigest digest = sha256();
        try {
            PrivateSession session = data.open(
                    RunRequest.of("digest", plan),
                    new DiscreteGaussianMechanism(NOISE_MULTIPLIER),
                    new FreeLedger(data.unit()),
                    ReplayNoise.ofSeed(7));
            run(method.kernel(), method.model(), session, digest);
        } catch (BudgetExhausted | IllegalArgumentException refused) {
            return "refused";
        } catch (ArithmeticException stuck) {
            return "stuck after " + HexFormat.of().formatHex(digest.digest());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static <M, S extends Record> void run(
            InferenceKernel<M, S> kernel, M model, PrivateSession session, MessageDigest digest) {
        RandomStream random = RandomStream.ofSeed(11);
        S state = kernel.init(model, session.publicSize(), random.fork("init"));
        while (session.released() < session.plan().releases()) {
            var step = kernel.step(state, model, session, random.fork(session.released()));
            for (double number : step.released().value()) {
                digest.update(
                        ByteBuffer.allocate(Double.BYTES).putDouble(number).array());
            }
            state = step.state();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
