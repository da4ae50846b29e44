package dev.tacit.federated.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.tacit.fit.base.FitException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file in YAML as the values that {@link dev.tacit.json.Json} has. */
final class YamlTree {
    private static final long LONGEST = 1 << 22;
    private static final YAMLFactory YAML = new YAMLFactory();

    private YamlTree() {}

    /** Reads a file whose top is an object. */
    static Map<?, ?> read(Path file) {
        if (Files.isDirectory(file)) {
            throw new StudyException(file + " is a folder; name the file in it");
        }
        try {
            if (Files.size(file) > LONGEST) {
                throw new StudyException(file + " has more than " + (LONGEST >> 20) + " MiB");
            }
            return parse(Files.readString(file), file.toString());
        } catch (NoSuchFileException e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, "there is no file " + file + ".", e);
        } catch (CharacterCodingException e) {
            throw new StudyException(file + " is not a text in UTF-8", e);
        } catch (IOException e) {
            throw new StudyException("cannot read " + file, e);
        }
    }

    /** Reads a text whose top is an object. */
    static Map<?, ?> parse(String text, String name) {
        try (YAMLParser parser = YAML.createParser(text)) {
            if (parser.nextToken() == JsonToken.START_OBJECT && value(parser, name) instanceof Map<?, ?> top) {
                if (parser.nextToken() == null) {
                    return top;
                }
            }
            throw new StudyException(name + " is not one list of keys and values");
        } catch (InputCoercionException e) {
            throw new StudyException(
                    name + ", line " + e.getLocation().getLineNr() + ": a whole number has at most 18 digits", e);
        } catch (JsonProcessingException e) {
            throw new StudyException(
                    name
                            + (e.getLocation() == null
                                    ? ""
                                    : ", line " + e.getLocation().getLineNr())
                            + ": this is not YAML; look at indentation, brackets and quotes here",
                    e);
        } catch (IOException e) {
            throw new StudyException("cannot read " + name, e);
        }
    }

    private static Object value(YAMLParser parser, String name) throws IOException {
        if (parser.isCurrentAlias() || parser.getObjectId() != null || parser.getTypeId() != null) {
            throw new StudyException(name + ", line "
                    + parser.currentTokenLocation().getLineNr() + ": anchors, aliases and tags have no place here");
        }
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    parser.nextToken();
                    if (fields.containsKey(key)) {
                        throw new StudyException(name + ": \"" + key + "\" is given twice");
                    }
                    fields.put(key, value(parser, name));
                }
                return fields;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser, name));
                }
                return list;
            }
            case VALUE_NUMBER_INT -> {
                return parser.getLongValue();
            }
            case VALUE_NUMBER_FLOAT -> {
                return parser.getDoubleValue();
            }
            case VALUE_TRUE -> {
                return true;
            }
            case VALUE_FALSE -> {
                return false;
            }
            case VALUE_NULL -> {
                return null;
            }
            default -> {
                return parser.getText();
            }
        }
    }
}
