package dev.tacit.data.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.IgnoredColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaYamlTest {
    private static final String FULL = """
            # what the data holder declares; nothing is read off the data
            unit: {person: patient_id, maxRecords: 3}
            neighbours: replace-one
            size: 32_561
            target: income
            format: {header: false, delimiter: ";", comment: "|", missing: ["?", ""], trim: true}
            encoding: {intercept: false, rowNorm: {atMost: 1.5}}
            columns:
              age:        {type: number, bounds: [17, 90]}
              gain:       {type: number, bounds: [0, 99999], transform: log1p, missing: {constant: 0}}
              hours:
                type: number
                bounds: [1, 99]
                cuts: [20, 30, 40.5]
                scale: false
              level:      {type: number, bounds: PRIVATE, center: true, missing: category}
              workclass:  {type: category, categories: [Private, State-gov, 007, "yes", no], missing: category}
              sex:        {type: binary, positive: Female, negative: Male}
              patient_id: {type: ignore}
              income:     {type: binary, positive: [">50K", ">50K."]}
            """;

    private static final String SMALL = """
            unit: record
            size: 10
            target: y
            columns:
              x: {type: number, bounds: [0, 1]}
              y: {type: binary, positive: "1"}
            """;

    @Test
    void everythingThatCanBeDeclaredIsRead() {
        Schema schema = SchemaYaml.read(FULL);
        MissingPolicy refuse = new MissingPolicy.Refuse();
        assertThat(schema)
                .isEqualTo(new Schema(
                        UnitSchema.person("patient_id", 3),
                        Neighbours.REPLACE_ONE,
                        32561,
                        Optional.of("income"),
                        new FileFormat(false, Optional.of(';'), Optional.of('|'), List.of("?"), true, true, false),
                        new Encoding(false, new RowNorm.AtMost(1.5)),
                        List.of(
                                NumberColumn.of("age", 17, 90),
                                new NumberColumn(
                                        "gain",
                                        Optional.of(new Bounds(0, 99999)),
                                        NumberTransform.LOG1P,
                                        List.of(),
                                        true,
                                        false,
                                        new MissingPolicy.Constant("0")),
                                new NumberColumn(
                                        "hours",
                                        Optional.of(new Bounds(1, 99)),
                                        NumberTransform.NONE,
                                        List.of(20.0, 30.0, 40.5),
                                        false,
                                        false,
                                        refuse),
                                new NumberColumn(
                                        "level",
                                        Optional.empty(),
                                        NumberTransform.NONE,
                                        List.of(),
                                        true,
                                        true,
                                        new MissingPolicy.OwnColumn()),
                                new CategoryColumn(
                                        "workclass",
                                        List.of("Private", "State-gov", "007", "yes", "no"),
                                        true,
                                        new MissingPolicy.OwnColumn()),
                                new BinaryColumn("sex", List.of("Female"), List.of("Male"), refuse),
                                new IgnoredColumn("patient_id"),
                                new BinaryColumn("income", List.of(">50K", ">50K."), List.of(), refuse))));
        assertThat(schema.privacyUnit()).isEqualTo(new PrivacyUnit("person", 3, Neighbours.REPLACE_ONE));
        assertThat(schema.features()).hasSize(6);
        assertThat(schema.columnsWithPrivateBounds())
                .extracting(NumberColumn::name)
                .containsExactly("level");
    }

    @Test
    void countsAndReferencesAreRead() {
        Schema schema = SchemaYaml.read("""
                unit: record
                size: 10
                columns:
                  visits: {type: count, bounds: [0, 20]}
                  sex: {type: category, categories: [male, female], reference: female}
                """);
        assertThat(((NumberColumn) schema.column("visits")).count()).isTrue();
        assertThat(((CategoryColumn) schema.column("sex")).reference()).contains("female");
        assertThat(SchemaYaml.read(SchemaYaml.write(schema))).isEqualTo(schema);
        Schema byFormula = schema.withFormula("visits ~ sex", "visits");
        assertThat(SchemaYaml.read(SchemaYaml.write(byFormula))).isEqualTo(byFormula);
        assertThatThrownBy(() ->
                        SchemaYaml.read("unit: record\nsize: 1\ncolumns:\n  v: {type: count, bounds: [0.5, 20]}\n"))
                .hasMessageContaining("whole numbers from 0");
        assertThatThrownBy(() -> SchemaYaml.read(
                        "unit: record\nsize: 1\ncolumns:\n  s: {type: category, categories: [a], reference: b}\n"))
                .hasMessageContaining("a reference that is not one of its categories");
    }

    @Test
    void defaultsAreThoseOfTheReference() {
        Schema schema = SchemaYaml.read(SMALL);
        assertThat(schema.neighbours()).isEqualTo(Neighbours.ADD_REMOVE);
        assertThat(schema.format()).isEqualTo(FileFormat.DEFAULT);
        assertThat(schema.encoding()).isEqualTo(new Encoding(true, new RowNorm.None()));
        assertThat(SchemaYaml.read(SMALL.replace("target: y\n", "")).encoding().intercept())
                .isFalse();
    }

    @Test
    void yamlAndJsonReadBack() {
        for (String yaml : List.of(FULL, SMALL, FULL.replace("{atMost: 1.5}", "unit"))) {
            Schema schema = SchemaYaml.read(yaml);
            assertThat(SchemaYaml.read(SchemaYaml.write(schema))).isEqualTo(schema);
            assertThat(Schema.fromJson(Json.read(Json.write(schema.toJson())))).isEqualTo(schema);
        }
    }

    @Test
    void anOddNameOrValueReadsBack() {
        Schema schema = SchemaYaml.read(SMALL);
        List<ColumnSchema> columns = List.of(
                NumberColumn.of("a: b #c \"d\" \\ é", -1e-300, 1e200),
                CategoryColumn.of("null", List.of("~", "null", "1e3", "- x", "{a}", "*a", "line\nline", "%")),
                BinaryColumn.of("y", "true"));
        Schema odd = schema.withColumns(columns);
        assertThat(SchemaYaml.read(SchemaYaml.write(odd))).isEqualTo(odd);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    size: 10               | size: 0               | schema, line 2: size is the public number of units, 1 or more
                    size: 10               | size: 1.5             | schema, line 2: size is a whole number
                    size: 10               | sizes: 10             | schema, line 1: declare the public number of units (size: 10000)
                    size: 10               | size: REQUIRED        | schema, line 2: size is still REQUIRED: replace it by what you declare about the data
                    unit: record           | unit: row             | schema, line 1: unit is record or {person: ID_COLUMN, maxRecords: 3}
                    unit: record           | unit: {person: id, maxRecords: 2}  | schema, line 1: the unit's person column "id" is not one of the declared columns; declare it (id: {type: ignore})
                    unit: record           | unit: {person: x, maxRecords: 2}   | schema, line 1: column "x" tells persons apart and is not learned from; declare it as {type: ignore}
                    unit: record           | unit: {person: x, maxRecords: 0}   | schema, line 1: maxRecords is a whole number, 1 or more
                    target: y              | target: z             | schema, line 1: the target "z" is not one of the declared columns
                    target: y              | neighbors: replace    | schema, line 3: a schema has an unknown key "neighbors" (known here: unit, size, neighbours, target, format, encoding, corpus, columns)
                    bounds: [0, 1]         | transform: none       | schema, line 5: column "x" has no bounds, and reading them from the data would reveal someone's value; declare them (bounds: [0, 500000]) or buy them from the budget (bounds: PRIVATE and --spend-on-bounds 0.05)
                    bounds: [0, 1]         | bonds: [0, 1]         | schema, line 5: column "x" has an unknown key "bonds" (known here: type, bounds, transform, center, cuts, scale, missing)
                    bounds: [0, 1]         | bounds: [1, 0]        | schema, line 5: column "x" has its bounds reversed: the smaller number comes first
                    bounds: [0, 1]         | bounds: [0]           | schema, line 5: column "x" needs two bounds, as in bounds: [0, 500000]
                    bounds: [0, 1]         | bounds: [a, b]        | schema, line 5: bounds of column "x" must be numbers
                    bounds: [0, 1]         | bounds: [-1.7e308, 1.7e308] | schema, line 5: bounds are two finite numbers whose difference is finite
                    bounds: [0, 1]         | bounds: REQUIRED      | schema, line 5: column "x" still says bounds: REQUIRED; replace it by the range that values can have (bounds: [0, 500000]), from what you know and not from the data
                    bounds: [0, 1]         | bounds: [-1, 1], transform: sqrt | schema, line 5: column "x" is transformed by sqrt, which needs a lower bound of at least 0
                    bounds: [0, 1]         | bounds: [0, 1], transform: log | schema, line 5: column "x" has an unknown transform; transforms are none, log1p and sqrt
                    bounds: [0, 1]         | bounds: [0, 1], cuts: [0.5, 0.5] | schema, line 5: column "x" needs its cuts as finite numbers in ascending order
                    bounds: [0, 1]         | bounds: [0, 1], cuts: [2] | schema, line 5: column "x" has a cut outside its bounds, so that a bin could never hold a value
                    bounds: [0, 1]         | bounds: [0, 1], scale: false | schema, line 5: column "x" says scale: false and has no cuts, so nothing would be left of it; declare {type: ignore}
                    bounds: [0, 1]         | bounds: [0, 1], bound: 3 | schema, line 5: column "x" has an unknown key "bound" (known here: type, bounds, transform, cuts, scale, center, missing)
                    bounds: [0, 1]         | bounds: [0, 1], missing: drop | schema, line 5: column "x" says what missing cells become: refuse, category or {constant: value}
                    bounds: [0, 1]         | bounds: [0, 1], missing: {constant: a} | schema, line 5: column "x" replaces missing cells by a constant that is not a finite number
                    bounds: [0, 1]         | bounds: [0, 1         | schema, line 5: this is not YAML; look at indentation, brackets and quotes here
                    type: number, bounds: [0, 1] | type: real      | schema, line 5: column "x" has an unknown type; types are number, count, category, binary and ignore
                    type: number, bounds: [0, 1] | type: ignore    | schema, line 1: no column is left to learn from: all are ignored or the target
                    type: number, bounds: [0, 1] | type: category  | schema, line 5: column "x" has no categories, and reading them from the data would reveal someone's value; declare them (categories: [a, b])
                    type: number, bounds: [0, 1] | type: category, categories: [a, b, a] | schema, line 5: column "x" declares the category "a" twice
                    positive: "1"          | positive: "1", missing: category | schema, line 1: column "y" is the target, which takes missing: refuse or {constant: value}, not missing: category
                    positive: "1"          | negative: "1"         | schema, line 6: column "y" does not say which value is positive; declare it (positive: "yes")
                    positive: "1"          | positive: a, negative: a | schema, line 6: column "y" declares the same value as positive and as negative
                    x:                     | y:                    | schema, line 6: "y" stands here a second time
                    """)
    void whatIsWrongIsSaidWithItsLine(String good, String bad, String sentence) {
        assertThatThrownBy(() -> SchemaYaml.read(SMALL.replace(good, bad)))
                .isInstanceOf(SchemaException.class)
                .hasMessage(sentence);
    }

    @Test
    void aFileIsCalledByItsName(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("loans.schema.yaml");
        assertThatThrownBy(() -> SchemaYaml.read(file)).isInstanceOf(NoSuchFileException.class);
        Files.writeString(file, SMALL.replace("[0, 1]", "[1, 1]"));
        assertThatThrownBy(() -> SchemaYaml.read(file))
                .hasMessageStartingWith("loans.schema.yaml, line 5: column \"x\"");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatThrownBy(() -> SchemaYaml.read(file)).hasMessage("loans.schema.yaml is not a text in UTF-8");
        Files.writeString(file, "");
        assertThatThrownBy(() -> SchemaYaml.read(file)).hasMessage("loans.schema.yaml is empty");
        SchemaYaml.write(SchemaYaml.read(SMALL), file);
        assertThat(SchemaYaml.read(file)).isEqualTo(SchemaYaml.read(SMALL));
    }

    @Test
    void aSchemaIsOneDocumentWithoutAnchors() {
        assertThatThrownBy(() -> SchemaYaml.read(SMALL + "---\na: 1\n")).hasMessageContaining("one document");
        assertThatThrownBy(() -> SchemaYaml.read(SMALL.replace("bounds: [0, 1]", "bounds: &a [0, 1]")))
                .hasMessageContaining("anchors");
        assertThatThrownBy(() -> SchemaYaml.read("- 1"))
                .hasMessage("schema, line 1: a schema is a list of keys and values");
    }

    /** More than the 3 MiB that the parser reads if it is not asked for more; and the limit that there is. */
    @Test
    void aLargeSchemaIsReadUpToItsLimit() {
        String category = "x".repeat(200_000);
        StringBuilder yaml = new StringBuilder("unit: record\nsize: 5\ncolumns:\n  a: {type: category, categories: [");
        for (int i = 0; i < 20; i++) {
            yaml.append(i == 0 ? "" : ", ").append('c').append(i).append(category);
        }
        yaml.append("]}\n");
        assertThat(SchemaYaml.read(yaml.toString()).columns()).hasSize(1);
        String tooLong = "# " + "x".repeat(SchemaYaml.LONGEST);
        assertThatThrownBy(() -> SchemaYaml.read(tooLong, "big.yaml"))
                .isInstanceOf(SchemaException.class)
                .hasMessage("big.yaml has more than 32 MiB of text, the most that a schema may have");
    }

    @Test
    void anchorsAndNumbersThatAreEqualAreRefused() {
        String columns = "columns: {a: {type: number, bounds: [0, 1]}}\n";
        for (String yaml : List.of(
                "unit: record\nsize: &x 60\n" + columns,
                "\ufeffunit: record\nsize: &x 60\n" + columns,
                "# \ud83d\ude00\nunit: record\nsize: &x 60\n" + columns,
                "unit: record\n&k size: 60\n" + columns,
                "unit: record\nsize: 60\ncolumns: &c {a: {type: number, bounds: [0, &b 1]}}\n",
                "unit: record\nsize: 60\ncolumns: {a: {type: number, bounds: [0, &b 1]}}\n")) {
            assertThatThrownBy(() -> SchemaYaml.read(yaml)).as(yaml).hasMessageContaining("anchors");
        }
        for (String column : List.of(
                "{type: category, categories: [1, 1.0]}",
                "{type: category, categories: [a, 0, -0]}",
                "{type: binary, positive: 1, negative: 1e0}")) {
            assertThatThrownBy(() -> SchemaYaml.read("unit: record\nsize: 6\ncolumns: {a: " + column + "}\n"))
                    .as(column)
                    .hasMessageContaining("another spelling of the same number");
        }
        assertThat(SchemaYaml.read(
                                "unit: record\nsize: 6\ncolumns: {a: {type: category, categories: [\"1\", \"01\"]}}\n")
                        .columns())
                .hasSize(1);
        for (String format : List.of("{comment: \",\"}", "{comment: tab}", "{delimiter: \";\", comment: \";\"}")) {
            assertThatThrownBy(() -> SchemaYaml.read("unit: record\nsize: 6\nformat: " + format + "\n" + columns))
                    .as(format)
                    .hasMessageContaining("comment character");
        }
        assertThat(SchemaYaml.read("unit: record\nsize: 6\nformat: {delimiter: \";\", comment: \",\"}\n" + columns)
                        .format()
                        .comment())
                .contains(',');
        Schema escaped = SchemaYaml.read("unit: record\nsize: 6\nformat: {escape: backslash}\n" + columns);
        assertThat(escaped.format().escaped()).isTrue();
        assertThat(SchemaYaml.read(SchemaYaml.write(escaped))).isEqualTo(escaped);
        assertThatThrownBy(() -> SchemaYaml.read("unit: record\nsize: 6\nformat: {escape: x}\n" + columns))
                .hasMessageContaining("escape is backslash or none");
    }

    /** A pipe would be waited for. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aDeviceIsNoSchema() {
        assertThatThrownBy(() -> SchemaYaml.read(Path.of("/dev/null")))
                .isInstanceOf(SchemaException.class)
                .hasMessage("/dev/null is not a regular file; write the schema to a file");
    }
}
