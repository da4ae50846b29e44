package dev.tacit.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.spark.cluster.ClusterRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterRulesTest {
    @TempDir
    Path folder;

    @Test
    void whatProtectsRecordsIsSet() {
        SparkConf conf =
                ClusterRules.checked("spark://head:7077", Map.of("spark.executor.memory", "4g"), "a long secret");
        assertThat(conf.get("spark.authenticate")).isEqualTo("true");
        assertThat(conf.get("spark.network.crypto.enabled")).isEqualTo("true");
        assertThat(conf.get("spark.io.encryption.enabled")).isEqualTo("true");
        assertThat(conf.get("spark.ui.enabled")).isEqualTo("false");
        assertThat(conf.get("spark.eventLog.enabled")).isEqualTo("false");
        assertThat(conf.get("spark.submit.deployMode")).isEqualTo("client");
        assertThat(conf.get("spark.yarn.maxAppAttempts")).isEqualTo("1");
        assertThat(conf.get("spark.executor.memory")).isEqualTo("4g");
        assertThat(conf.get("spark.authenticate.secret")).isEqualTo("a long secret");
    }

    @ParameterizedTest
    @CsvSource({
        "spark.authenticate, false",
        "spark.network.crypto.enabled, false",
        "spark.io.encryption.enabled, false",
        "spark.ui.enabled, true",
        "spark.eventLog.enabled, true",
        "spark.extraListeners, com.example.Tell",
        "spark.sql.queryExecutionListeners, com.example.Tell",
        "spark.sql.extensions, com.example.Rewrite",
        "spark.plugins, com.example.Plugin",
        "spark.plugins.defaultList, com.example.Plugin",
        "spark.metrics.conf, metrics.properties",
        "spark.metrics.conf.*.sink.csv.class, org.apache.spark.metrics.sink.CsvSink",
        "spark.submit.deployMode, cluster",
        "spark.yarn.maxAppAttempts, 2",
        "spark.sql.files.ignoreCorruptFiles, true",
        "spark.sql.files.ignoreMissingFiles, true",
        "spark.executor.extraJavaOptions, -XX:+HeapDumpOnOutOfMemoryError",
        "spark.executor.extraJavaOptions, -XX:-ExitOnOutOfMemoryError",
        "spark.executor.defaultJavaOptions, -XX:+CrashOnOutOfMemoryError",
        "spark.driver.extraJavaOptions, -agentlib:jdwp=transport=dt_socket",
        "spark.driver.extraJavaOptions, -agentlib:hprof",
        "spark.executor.defaultJavaOptions, -agentpath:/tmp/agent.so",
        "spark.executor.extraJavaOptions, -Xrunhprof",
        "spark.executor.extraJavaOptions, -Dcom.sun.management.jmxremote.port=99",
        "spark.executor.extraJavaOptions, -XX:VMOptionsFile=/tmp/options",
        "spark.executor.extraJavaOptions, -XX:Flags=/tmp/options",
        "spark.executor.extraJavaOptions, -Xss4m @/tmp/options",
        "spark.executor.extraJavaOptions, @/tmp/options",
        "spark.executor.extraJavaOptions, -Dlog4j2.configurationFile=/tmp/log.properties",
        "spark.executorEnv.JAVA_TOOL_OPTIONS, -Xss4m",
        "spark.executorEnv.JDK_JAVA_OPTIONS, -Xss4m",
        "spark.executorEnv._JAVA_OPTIONS, -Xss4m",
        "spark.sql.parquet.datetimeRebaseModeInRead, EXCEPTION",
        "spark.sql.parquet.int96RebaseModeInRead, LEGACY",
        "spark.log.level, INFO",
        "spark.authenticate.secret, in the clear"
    })
    void whatWouldShowRecordsIsRefused(String name, String value) {
        assertThatThrownBy(() -> ClusterRules.checked("yarn", Map.of(name, value), ""))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining(name);
    }

    /** As system properties, or an application that was there before, would bring them in. */
    @ParameterizedTest
    @CsvSource({
        "spark.io.encryption.enabled, false",
        "spark.extraListeners, com.example.Tell",
        "spark.plugins, com.example.Plugin",
        "spark.executor.extraJavaOptions, -XX:+HeapDumpOnOutOfMemoryError",
        "spark.executor.extraJavaOptions, -XX:+UseParallelGC",
        "spark.authenticate.secret, another one"
    })
    void settingsThatCameInOtherwiseAreRefused(String name, String value) {
        SparkConf asked = ClusterRules.checked("spark://head:7077", Map.of("spark.app.name", "x"), "a long secret");
        SparkConf found = asked.clone().set("spark.app.id", "app-1").set("spark.driver.port", "4711");
        ClusterRules.requireKept(asked, found);
        assertThatThrownBy(() -> ClusterRules.requireKept(asked, found.clone().set(name, value)))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining(name);
        assertThatThrownBy(() -> ClusterRules.requireKept(asked, found.clone().remove("spark.authenticate")))
                .isInstanceOf(EngineException.class);
    }

    @Test
    void aClusterWithoutASecretIsRefused() {
        for (String master : new String[] {"spark://head:7077", "local-cluster[2,1,700]", "k8s://https://head"}) {
            assertThatThrownBy(() -> ClusterRules.checked(master, Map.of(), ""))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining("TACIT_SPARK_SECRET");
        }
        assertThat(ClusterRules.checked("local[2]", Map.of(), "").contains("spark.authenticate.secret"))
                .isFalse();
        assertThatThrownBy(() -> ClusterRules.checked("", Map.of(), "a long secret"))
                .hasMessageContaining("no master is known");
    }

    @Test
    void aSecretThatOthersCanReadIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> SparkEngineProvider.secretIn(file)).hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(SparkEngineProvider.secretIn(file)).isEqualTo("0123456789abcdef");
        Files.writeString(file, "short");
        assertThatThrownBy(() -> SparkEngineProvider.secretIn(file)).hasMessageContaining("16 characters");
        assertThatThrownBy(() -> SparkEngineProvider.secretIn(folder.resolve("none")))
                .isInstanceOf(EngineException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "spark://head:7077, true",
        "yarn, true",
        "k8s://https://head, true",
        "submitted, true",
        "'local[4]', true",
        "local, false",
        "mesos://head, false"
    })
    void engineAddresses(String address, boolean known) {
        assertThat(new SparkEngineProvider().knows(address)).isEqualTo(known);
    }

    @Test
    void settingsThatAreNotSparksAreRefused() {
        assertThatThrownBy(() -> new SparkEngineProvider().start("local[1]", Map.of("memory", "4g"), Clusters.SECRET))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("memory is no setting");
        assertThatThrownBy(() -> new SparkEngineProvider().start("local[1]", Map.of("parts", "0"), Clusters.SECRET))
                .isInstanceOf(EngineException.class);
    }
}
