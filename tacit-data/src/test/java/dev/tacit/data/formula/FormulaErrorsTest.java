package dev.tacit.data.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tacit.data.formula.design.DesignMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a formula is said in one sentence, with a caret under the character. */
class FormulaErrorsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '?',
            value = {
                "'' ! 0 ! is empty",
                "'~ age' ! 0 ! has no response",
                "'y age' ! 2 ! after the response comes ~",
                "'y ~ age sex' ! 8 ! between two terms stands +",
                "'y ~ age +' ! 9 ! the formula ends",
                "'y ~ (age + sex' ! 4 ! this parenthesis is not closed",
                "'y ~ log(age' ! 7 ! this parenthesis is not closed",
                "'y ~ age) + sex' ! 7 ! closes nothing",
                "'y ~ age ~ sex' ! 8 ! one ~ only",
                "'y ~ age # sex' ! 8 ! no sign like this",
                "'y ~ `age' ! 4 ! has no end",
                "'y ~ agee' ! 4 ! declares no column \"agee\"",
                "'y ~ sex + log(agee)' ! 14 ! declares no column \"agee\"",
                "'y ~ log(visits)' ! 8 ! log() needs a number above 0, and this lies in [0, 20]",
                "'y ~ sqrt(temp)' ! 9 ! from 0 on",
                "'y ~ I(age/temp)' ! 10 ! this divisor can be 0",
                "'y ~ I(temp^0.5)' ! 10 ! does not exist everywhere",
                "'y ~ I(age^bun)' ! 10 ! the same for every record",
                "'y ~ log(sex)' ! 8 ! is a category",
                "'y ~ foo(age)' ! 4 ! no function foo()",
                "'y ~ scale(age)' ! 4 ! would look at the data",
                "'y ~ factor(age)' ! 4 ! are declared, not read from the data",
                "'y ~ log(poly(age, 2))' ! 8 ! a term of its own",
                "'y ~ poly(age, x)' ! 14 ! a whole number from 1",
                "'y ~ poly(age, 2, coefs = 3)' ! 25 ! does not take this argument",
                "'y ~ ns(age, knots = c(10, 50))' ! 20 ! inside [15, 90]",
                "'y ~ bs(age, 2)' ! 4 ! at least 3",
                "'y ~ bins(age)' ! 4 ! declares no cuts",
                "'y ~ bins(age, c(60, 40))' ! 4 ! ascend",
                "'y ~ 2' ! 4 ! the only numbers among terms",
                "'y ~ (age + sex)^0.5' ! 16 ! a whole number from 1",
                "'y ~ age + y' ! 10 ! cannot stand among the terms",
                "'y ~ age + offset(log1p(y))' ! 17 ! cannot stand among the terms",
                "'Surv(visits) ~ age' ! 0 ! a time, whether it ended with the event",
                "'Surv(log(age), y) ~ sex' ! 0 ! a time, whether it ended with the event",
                "'Surv(visits, age) ~ sex' ! 13 ! a column of type binary",
                "'Surv(sex, y) ~ age' ! 5 ! is a category",
                "'Surv(temp, y) ~ sex' ! 5 ! a time is not negative",
                "'y ~ age | ward' ! 8 ! in parentheses of its own",
                "'y ~ (1 | age)' ! 9 ! is a number, and groups are declared",
                "'y ~ (age | ward)' ! 9 ! correlated effects",
                "'y ~ (1 | ward + icu)' ! 14 ! what groups the records",
                "'y ~ age:(1 | ward)' ! 7 ! must be columns",
                "'y ~ offset(sex)' ! 11 ! is a category",
                "'y ~ I(2)' ! 4 ! the same number for every record",
                "'y ~ exp(bun * 10)' ! 4 ! beyond all numbers",
                "'y | trials(n) ~ age' ! 4 ! weights(column)",
                "'y + age ~ sex' ! 2 ! one column",
                "'y ~ 0' ! 0 ! no terms and no intercept",
                "'y ~ \"age\"' ! 4 ! a text is not a term",
            })
    void errorsPointAtTheCharacter(String quoted, int position, String says) {
        String formula = quoted.substring(1, quoted.length() - 1);
        FormulaException error = catchThrowableOfType(
                FormulaException.class, () -> DesignMatrix.of(Formula.parse(formula), DesignMatricesOfRTest.SCHEMA));
        assertThat(error).as(formula).isNotNull();
        assertThat(error.sentence()).contains(says).doesNotContain("\n");
        assertThat(error.position()).as(error.getMessage()).isEqualTo(position);
        assertThat(error.getMessage().lines().toList().get(2)).isEqualTo("  " + " ".repeat(position) + "^");
    }

    @Test
    void whatIsTooLargeIsRefused() {
        assertThatThrownBy(() -> Formula.parse("y ~ " + "(".repeat(5000) + "age"))
                .isInstanceOf(FormulaException.class)
                .hasMessageContaining("deeper than");
        assertThatThrownBy(() -> Formula.parse("y ~ " + "-".repeat(5000) + "age"))
                .isInstanceOf(FormulaException.class)
                .hasMessageContaining("deeper than");
        StringBuilder many = new StringBuilder("y ~ (a0");
        for (int i = 1; i < 40; i++) {
            many.append(" + a").append(i);
        }
        assertThatThrownBy(() -> Formula.parse(many + ")^20"))
                .isInstanceOf(FormulaException.class)
                .hasMessageContaining("more than 2000 terms");
        assertThatThrownBy(() -> Formula.parse("y ~ " + "a + ".repeat(10_000) + "a"))
                .isInstanceOf(FormulaException.class)
                .hasMessageContaining("longer than");
    }
}
