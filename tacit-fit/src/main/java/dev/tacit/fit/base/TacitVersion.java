package dev.tacit.fit.base;

/** Which Tacit this is: the version in the manifest of its jar. */
public final class TacitVersion {
    private TacitVersion() {}

    /** The number alone. */
    public static String number() {
        String version = TacitVersion.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    /** With the name of the program. */
    public static String text() {
        return "tacit " + number();
    }
}
