package dev.tacit.cli.shell;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A file named on the command line, or standard input for {@code -}. */
public record InputFile(String name) {
    private static final int MOST_BYTES = 64 << 20;

    /** How the file is called in an error. */
    public String label() {
        return name.equals("-") ? "standard input" : name;
    }

    /** Opens it, or says in one sentence why not. */
    public InputStream open(Console console) {
        if (name.equals("-")) {
            return console.input();
        }
        Path path = existing(name);
        try {
            return Files.newInputStream(path);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, "cannot read " + name + "; check who may read it.", e);
        }
    }

    /** The whole text of a small file. */
    public String text(Console console) {
        try (InputStream stream = open(console)) {
            byte[] bytes = stream.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new CommandFailure(
                        ExitCode.BAD_DATA, label() + " is larger than 64 MiB; use --batch for many events.");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CommandFailure(ExitCode.BAD_DATA, label() + " is not UTF-8 text; save it as UTF-8.", e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, "cannot read " + label() + "; check that it is a readable file.", e);
        }
    }

    /** The path of a file that is there, or a sentence that says it is not. */
    public static Path existing(String name) {
        Path path;
        try {
            path = Path.of(name);
        } catch (InvalidPathException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, "there can be no file of that name; check the spelling.", e);
        }
        if (Files.isDirectory(path)) {
            throw new CommandFailure(ExitCode.NO_INPUT, name + " is a directory; name a file in it.");
        }
        if (!Files.exists(path)) {
            throw new CommandFailure(ExitCode.NO_INPUT, "there is no file " + name + "; check the path.");
        }
        return path;
    }
}
