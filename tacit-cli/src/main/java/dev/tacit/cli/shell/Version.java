package dev.tacit.cli.shell;

import dev.tacit.fit.base.TacitVersion;
import picocli.CommandLine.IVersionProvider;

/** Which Tacit this is, for picocli. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }

    public static String text() {
        return TacitVersion.text();
    }
}
