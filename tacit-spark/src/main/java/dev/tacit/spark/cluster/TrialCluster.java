package dev.tacit.spark.cluster;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.TableEngineProvider;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real Spark cluster on this machine: a master and two workers, processes of their own, which start one executor each. They know each
 * other by a secret that is in their environment and in a file that only its owner may read, never on a command line.
 */
public final class TrialCluster implements TableEngineProvider.Trial {
    /** Names the file that holds the cluster's secret. */
    public static final String SECRET_SETTING = "secretFile";

    /** The folder of Spark's jars, which the launcher names. */
    static final String JARS = "tacit.spark.jars";

    private static final String HOST = "127.0.0.1";
    private static final int WORKERS = 2;
    private static final int START_SECONDS = 120;

    private final List<Process> processes = new ArrayList<>();
    private final Path folder;
    private final String secret;
    private final String address;

    private TrialCluster(Path folder, String secret, int port) {
        this.folder = folder;
        this.secret = secret;
        this.address = "spark://" + HOST + ":" + port;
    }

    public static TrialCluster start(Path folder, String secret) {
        TrialCluster cluster;
        try {
            cluster = new TrialCluster(folder, secret, freePort());
            cluster.makeHome(jars());
            Path file = Files.createFile(
                    cluster.secretFile(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, secret, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw EngineException.refused(folder + " cannot be written; name another folder with --out");
        }
        try {
            cluster.startMaster();
            for (int worker = 1; worker <= WORKERS; worker++) {
                cluster.startWorker(worker);
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e instanceof EngineException known
                    ? known
                    : EngineException.unreachable("Spark does not start; " + folder.resolve("logs") + " says why");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    /** Where Spark's jars are: in a folder that is named, or beside each other on the class path. */
    private static Path jars() {
        String named = System.getProperty(JARS);
        if (named != null && Files.isDirectory(Path.of(named))) {
            return Path.of(named).toAbsolutePath();
        }
        throw EngineException.refused("Spark's jars are not known; start with the launcher ./tacit of a checkout");
    }

    private void makeHome(Path jars) throws IOException {
        Path home = Files.createDirectories(home());
        Files.createDirectories(folder.resolve("logs"));
        Files.createSymbolicLink(home.resolve("jars"), jars);
        Files.writeString(home.resolve("RELEASE"), "");
    }

    private Path home() {
        return folder.resolve("home").toAbsolutePath();
    }

    private Path secretFile() {
        return folder.resolve("secret").toAbsolutePath();
    }

    private void startMaster() throws IOException {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        processes.add(start(
                "master",
                "256m",
                "org.apache.spark.deploy.master.Master",
                "--host",
                HOST,
                "--port",
                Integer.toString(port),
                "--webui-port",
                "0"));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!answers(port)) {
            if (System.nanoTime() > end || !processes.get(0).isAlive()) {
                throw EngineException.unreachable(
                        "Spark's master does not start; " + folder.resolve("logs") + " says why");
            }
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            try {
                TimeUnit.MILLISECONDS.sleep(200);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw EngineException.unreachable("the start of Spark was interrupted");
            }
            return false;
        }
    }

    private void startWorker(int number) throws IOException {
        processes.add(start(
                "worker" + number,
                "256m",
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                HOST,
                "--cores",
                "1",
                "--memory",
                "1G",
                "--work-dir",
                folder.resolve("work" + number).toAbsolutePath().toString(),
                "--webui-port",
                "0",
                address));
    }

    private Process start(String name, String memory, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + memory,
                "-XX:+UseSerialGC",
                // A front door that takes applications from everybody, and that refuses to start beside a secret.
                "-Dspark.master.rest.enabled=false",
                "-Dspark.authenticate=true",
                "-Dspark.network.crypto.enabled=true",
                "-cp",
                home().resolve("jars") + File.separator + "*",
                main));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("logs").resolve(name + ".log").toFile());
        Map<String, String> environment = builder.environment();
        environment.put("SPARK_HOME", home().toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("SPARK_SCALA_VERSION", "2.13");
        environment.put("SPARK_LOCAL_IP", HOST);
        environment.put(
                "SPARK_LOCAL_DIRS", folder.resolve("local").toAbsolutePath().toString());
        environment.put("_SPARK_AUTH_SECRET", secret);
        return builder.start();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                SECRET_SETTING,
                secretFile().toString(),
                "spark.driver.host",
                HOST,
                "spark.driver.bindAddress",
                HOST,
                "spark.executor.memory",
                "900m");
    }

    @Override
    public int processes() {
        return 1 + 2 * WORKERS;
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
