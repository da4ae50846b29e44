import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counts what somebody has to read to check a release: the static closure of the door with exact noise, in lines of code (neither
 * blank, comment, import nor package). Run by {@code java .ci/DoorClosure.java}; ends with 1 if it is more than the limits.
 *
 * <p>From each file on, every type of the project that its code names is followed, imported or in the same package.
 */
class DoorClosure {
    static final int MOST_DOOR = 1_750;
    static final int MOST_CLOSURE = 2_400;
    static final String[] ROOTS = {"PrivateDataset", "PartSums", "DiscreteGaussianMechanism", "SecureNoise"};

    public static void main(String[] arguments) throws IOException {
        Map<String, Path> files = new HashMap<>();
        try (Stream<Path> all = Files.walk(Path.of("."))) {
            all.filter(path -> path.toString().matches("\\./tacit-[a-z]+/src/main/java/.*\\.java"))
                    .forEach(path -> files.put(nameOf(path), path));
        }
        int door = 0;
        for (Path path : files.values()) {
            door += path.startsWith("./tacit-door") ? lines(path) : 0;
        }
        TreeSet<String> seen = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>();
        files.keySet().stream()
                .filter(name -> Stream.of(ROOTS).anyMatch(root -> name.endsWith("." + root)))
                .forEach(open::add);
        int closure = 0;
        while (!open.isEmpty()) {
            String name = open.poll();
            if (!seen.add(name)) {
                continue;
            }
            closure += lines(files.get(name));
            String text = Files.readString(files.get(name));
            String code = code(text);
            String own = name.substring(0, name.lastIndexOf('.'));
            for (String other : files.keySet()) {
                String simple = other.substring(other.lastIndexOf('.') + 1);
                boolean visible = other.equals(own + "." + simple) || text.contains("import " + other + ";")
                        || text.contains("import " + other + ".");
                if (visible && Pattern.compile("\\b" + simple + "\\b").matcher(code).find()) {
                    open.add(other);
                }
            }
        }
        System.out.printf("tacit-door: %d lines of code (at most %d)%n", door, MOST_DOOR);
        System.out.printf("what it takes to check a release, exact noise included: %d files, %d lines of code (at most %d)%n",
                seen.size(), closure, MOST_CLOSURE);
        if (arguments.length > 0) {
            seen.forEach(System.out::println);
        }
        if (door > MOST_DOOR || closure > MOST_CLOSURE) {
            System.exit(1);
        }
    }

    static String nameOf(Path path) {
        String text = path.toString();
        return text.substring(text.indexOf("/java/") + 6, text.length() - 5).replace('/', '.');
    }

    static String code(String text) {
        Matcher comments = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL).matcher(text);
        return comments.replaceAll("").replaceAll("(?m)^\\s*//.*$", "").replaceAll("(?m)^(import|package) .*$", "");
    }

    static int lines(Path path) throws IOException {
        return (int) code(Files.readString(path)).lines().filter(line -> !line.isBlank()).count();
    }
}
