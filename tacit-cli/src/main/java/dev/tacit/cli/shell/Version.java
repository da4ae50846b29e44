package dev.tacit.cli.shell;

import picocli.CommandLine.IVersionProvider;

/** Which Tacit this is: the version in the manifest of its jar. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }

    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "tacit " + (version == null ? "(not packaged)" : version);
    }
}
