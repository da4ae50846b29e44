package dev.tacit.spark.cluster;

import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Makes executors silent before they see a record: by themselves they write how large every part is into logs, which workers show to
 * whoever asks.
 */
public final class QuietExecutor implements SparkPlugin {
    private static final String CONFIGURATION = "log4j2.configurationFile";

    @Override
    public DriverPlugin driverPlugin() {
        return null;
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void init(PluginContext context, Map<String, String> configuration) {
                silence();
            }
        };
    }

    /** From here on this process logs errors only. */
    public static void silence() {
        if (System.getProperty(CONFIGURATION) == null) {
            System.setProperty(CONFIGURATION, "dev/tacit/spark/log4j2.properties");
        }
        Configurator.setAllLevels("", Level.ERROR);
    }
}
