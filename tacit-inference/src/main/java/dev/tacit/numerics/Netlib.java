package dev.tacit.numerics;

import dev.ludovic.netlib.blas.JavaBLAS;
import dev.ludovic.netlib.blas.NativeBLAS;
import dev.ludovic.netlib.lapack.NativeLAPACK;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Loads netlib's BLAS and LAPACK without a sound.
 *
 * <p>Three things would print: netlib's loggers (switched off here), netlib's native stub when the library it opens is
 * not there (so it is only loaded where the library's file is seen first), and Java 24 and later when code without
 * {@code --enable-native-access} loads a library (so it is then not loaded).
 */
final class Netlib {
    /** A strong reference: the log manager forgets loggers, and their levels, that nobody holds. */
    private static final Logger LOGGER = Logger.getLogger("dev.ludovic.netlib");

    static final LinearAlgebra JAVA;
    static final LinearAlgebra BEST;

    static {
        LOGGER.setLevel(Level.OFF);
        boolean blas = allow("blas");
        boolean lapack = allow("lapack");
        JAVA = new JavaLinearAlgebra(JavaBLAS.getInstance());
        BEST = blas && lapack ? nativeOr(JAVA) : JAVA;
    }

    private Netlib() {}

    private static LinearAlgebra nativeOr(LinearAlgebra java) {
        try {
            return new NativeLinearAlgebra(NativeBLAS.getInstance(), NativeLAPACK.getInstance(), java);
        } catch (RuntimeException | LinkageError notLoaded) {
            return java;
        }
    }

    /** Whether netlib may try the native library; if not, netlib is told so by the property that it reads. */
    private static boolean allow(String library) {
        String property = "dev.ludovic.netlib." + library + ".allowNative";
        boolean allowed = Boolean.getBoolean(property) && mayLoad() && isInstalled(library);
        System.setProperty(property, Boolean.toString(allowed));
        return allowed;
    }

    /** {@code Module.isNativeAccessEnabled()}, which is there from Java 22 on and matters from 24 on. */
    private static boolean mayLoad() {
        if (Runtime.version().feature() < 24) {
            return true;
        }
        try {
            Module module = NativeBLAS.class.getModule();
            return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(module);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException unknown) {
            return false;
        }
    }

    private static boolean isInstalled(String library) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) {
            return true; // part of the system, in a cache without files
        }
        String prefix = "dev.ludovic.netlib." + library + ".";
        String path = System.getProperty(prefix + "nativeLibPath");
        if (path != null) {
            return Files.exists(Path.of(path));
        }
        String file = System.getProperty(prefix + "nativeLib", "lib" + library + ".so.3");
        String folders =
                System.getProperty("java.library.path", "") + ":/usr/local/lib:/usr/local/lib64:/lib64:/usr/lib64";
        for (String folder : folders.split(":", -1)) {
            if (!folder.isEmpty() && new File(folder, file).exists()) {
                return true;
            }
        }
        return false;
    }
}
