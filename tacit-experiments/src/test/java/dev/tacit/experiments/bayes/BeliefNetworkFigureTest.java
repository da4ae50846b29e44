package dev.tacit.experiments.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.experiments.harness.ResultRow;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class BeliefNetworkFigureTest {
    private static ResultRow row(String method, String metric, double value) {
        return new ResultRow(method, "50 hidden units", metric, OptionalDouble.empty(), value, 0, 1, 1, 1);
    }

    @Test
    void everyMethodHasABarBesideTheConstant() throws Exception {
        String svg = BeliefNetworkFigure.files(List.of(
                        row("residual-vb", "reconstructionAccuracy", 0.95),
                        row("residual-vb", "constantReconstructionAccuracy", 0.868),
                        row("private-vb", "reconstructionAccuracy", 0.91)))
                .get("figure.svg");
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(4);
        assertThat(document.getDocumentElement().getTextContent())
                .contains("best constant", "0.8680", "residual-vb, 50 hidden units", "0.9500", "private-vb");
    }

    @Test
    void nothingFittedIsNoFigure() {
        assertThat(BeliefNetworkFigure.files(List.of(row("the paper's recipe", "noiseMultiplier", 0.1))))
                .isEmpty();
    }
}
