package dev.tacit.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** What a program that depends on Tacit relies on: one version, one list of modules, names of modules, no split package. */
class PublishedModulesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static Document pom(String module) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(ROOT.resolve(module).resolve("pom.xml").toFile());
        } catch (Exception e) {
            throw new IllegalStateException("the POM of " + module + " does not read", e);
        }
    }

    private static List<String> texts(Document pom, String path) {
        try {
            NodeList nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                texts.add(nodes.item(i).getTextContent().strip());
            }
            return texts;
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private static String text(Document pom, String path) {
        List<String> texts = texts(pom, path);
        assertThat(texts).as(path).hasSize(1);
        return texts.get(0);
    }

    /** All modules with sources, whether they are published or not. */
    private static List<String> modules() {
        List<String> modules = new ArrayList<>(texts(pom(""), "/project/modules/module"));
        assertThat(modules).contains("tacit-bom", "tacit-door", "tacit-cli");
        modules.remove("tacit-bom");
        return modules;
    }

    private static boolean published(String module) {
        return texts(pom(module), "/project/properties/maven.install.skip").isEmpty();
    }

    @Test
    void allPublishedModulesAreInTheBillOfMaterials() {
        Document bom = pom("tacit-bom");
        assertThat(texts(bom, "/project/dependencyManagement/dependencies/dependency/artifactId"))
                .containsExactlyInAnyOrderElementsOf(modules().stream()
                        .filter(PublishedModulesTest::published)
                        .toList());
        assertThat(texts(bom, "/project/dependencyManagement/dependencies/dependency/version"))
                .containsOnly("${project.version}");
        assertThat(texts(bom, "/project/parent"))
                .as("a parent would bring its own versions")
                .isEmpty();
    }

    @Test
    void thereIsOneVersion() {
        String version = text(pom(""), "/project/version");
        assertThat(text(pom("tacit-bom"), "/project/version")).isEqualTo(version);
        for (String module : modules()) {
            assertThat(text(pom(module), "/project/parent/version")).as(module).isEqualTo(version);
        }
        assertThat(text(pom("tacit-dist"), "/project/parent/version")).isEqualTo(version);
    }

    @Test
    void everyModuleSaysWhatItIsAndHasItsOwnName() {
        Set<String> names = new HashSet<>();
        for (String module : modules()) {
            Document pom = pom(module);
            assertThat(text(pom, "/project/name")).as(module).isNotEmpty();
            assertThat(text(pom, "/project/description")).as(module).endsWith(".");
            String name = text(pom, "/project/properties/tacit.module.name");
            assertThat(name).isEqualTo("dev." + module.replace('-', '.'));
            assertThat(names.add(name)).as(name).isTrue();
        }
    }

    /** Two modules with one package cannot be put on a module path together. */
    @Test
    void everyPackageIsInOneModule() throws IOException {
        Map<String, String> owners = new HashMap<>();
        for (String module : modules()) {
            Path sources = ROOT.resolve(module).resolve("src/main/java");
            Set<Path> packages = new HashSet<>();
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file -> packages.add(sources.relativize(file.getParent())));
            }
            assertThat(packages).as(module).isNotEmpty();
            for (Path one : packages) {
                assertThat(owners.put(one.toString(), module))
                        .as("%s of %s", one, module)
                        .isNull();
            }
        }
        assertThat(owners).hasSizeGreaterThan(40);
    }
}
