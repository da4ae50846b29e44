package dev.tacit.data.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.tacit.data.schema.SchemaNode.Scalar;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;

/** Reads and writes the YAML form of a schema; anything that is not understood is refused. */
public final class SchemaYaml {
    /** How many characters a schema may have. */
    static final int LONGEST = 1 << 25;

    private static final YAMLFactory YAML =
            YAMLFactory.builder().loaderOptions(limits()).build();

    private SchemaYaml() {}

    private static LoaderOptions limits() {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(LONGEST);
        return limits;
    }

    /**
     * Reads a file.
     *
     * @throws NoSuchFileException if there is no such file
     * @throws SchemaException if it is not a schema; the message names the file and the line
     */
    public static Schema read(Path file) throws IOException {
        Path name = file.getFileName();
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new SchemaException(file + " is not a regular file; write the schema to a file");
        }
        try {
            Path folder = file.toAbsolutePath().getParent();
            String title = name == null ? file.toString() : name.toString();
            return SchemaReader.read(parse(Files.readString(file), title), title, folder);
        } catch (CharacterCodingException e) {
            throw new SchemaException(name + " is not a text in UTF-8");
        }
    }

    /** Reads a text; its name in messages is "schema". */
    public static Schema read(String yaml) {
        return read(yaml, "schema");
    }

    /** Reads a text; messages call it by the given name. */
    public static Schema read(String yaml, String name) {
        return SchemaReader.read(parse(yaml, name), name, Path.of(""));
    }

    /** The text of a schema; {@link #read(String)} gives back an equal one. */
    public static String write(Schema schema) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Object> entry : schema.toJson().entrySet()) {
            text.append(entry.getKey()).append(':');
            if (entry.getKey().equals("columns") && entry.getValue() instanceof Map<?, ?> columns) {
                text.append('\n');
                columns.forEach((column, declared) -> text.append("  ")
                        .append(Text.scalar((String) column))
                        .append(": ")
                        .append(Text.flow(declared))
                        .append('\n'));
            } else {
                text.append(' ').append(Text.flow(entry.getValue())).append('\n');
            }
        }
        return text.toString();
    }

    /** Writes a file. */
    public static void write(Schema schema, Path file) throws IOException {
        Files.writeString(file, write(schema));
    }

    private static SchemaNode parse(String yaml, String name) {
        if (yaml.length() > LONGEST) {
            throw new SchemaException(
                    name + " has more than " + (LONGEST >> 20) + " MiB of text, the most that a schema may have");
        }
        int[] characters = yaml.codePoints().toArray();
        try (YAMLParser parser = YAML.createParser(yaml)) {
            if (parser.nextToken() == null) {
                throw new SchemaException(name + " is empty");
            }
            SchemaNode node = node(parser, characters, name);
            if (parser.nextToken() != null) {
                throw new SchemaException(place(parser, name) + ": a schema is one document, and there is another");
            }
            return node;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? name
                    : name + ", line " + e.getLocation().getLineNr();
            throw new SchemaException(where + ": this is not YAML; look at indentation, brackets and quotes here");
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory could not be read", e);
        }
    }

    private static String place(YAMLParser parser, String name) {
        return name + ", line " + parser.currentTokenLocation().getLineNr();
    }

    /** Whether an anchor stands before a single value or a key, of which the parser says nothing. */
    private static boolean isAnchored(YAMLParser parser, int[] characters) {
        long offset = parser.currentTokenLocation().getCharOffset();
        return offset >= 0 && offset < characters.length && characters[(int) offset] == '&';
    }

    private static SchemaNode node(YAMLParser parser, int[] characters, String name) throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        if (parser.isCurrentAlias()
                || parser.getObjectId() != null
                || parser.getTypeId() != null
                || isAnchored(parser, characters)) {
            throw new SchemaException(place(parser, name) + ": anchors, aliases and tags have no place in a schema");
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, SchemaNode> fields = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                String place = place(parser, name);
                if (isAnchored(parser, characters)) {
                    throw new SchemaException(place + ": anchors, aliases and tags have no place in a schema");
                }
                parser.nextToken();
                if (fields.put(key, node(parser, characters, name)) != null) {
                    throw new SchemaException(place + ": \"" + key + "\" stands here a second time");
                }
            }
            return new SchemaNode(fields, line);
        }
        if (token == JsonToken.START_ARRAY) {
            List<SchemaNode> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(node(parser, characters, name));
            }
            return new SchemaNode(elements, line);
        }
        if (token == JsonToken.VALUE_NULL) {
            return new SchemaNode(null, line);
        }
        return new SchemaNode(new Scalar(parser.getText(), token == JsonToken.VALUE_STRING), line);
    }
}
