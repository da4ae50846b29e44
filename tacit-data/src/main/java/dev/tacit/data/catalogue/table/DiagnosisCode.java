package dev.tacit.data.catalogue.table;

import java.util.ArrayList;
import java.util.List;

/**
 * ICD-9-CM codes as the hospitals wrote them: without leading zeros, and to three digits except for diabetes.
 *
 * <p>The list of codes is the classification's whole range, so it says nothing about who has which.
 */
final class DiagnosisCode {
    private static final String MISSING = "?";

    /** The groups of Strack et al. 2014, Table 2. */
    static final List<String> GROUPS = List.of(
            "Circulatory",
            "Respiratory",
            "Digestive",
            "Diabetes",
            "Injury",
            "Musculoskeletal",
            "Genitourinary",
            "Neoplasms",
            "Other");

    private DiagnosisCode() {}

    /** Three digits, or V or E with its digits, or diabetes with its decimals; a missing code stays missing. */
    static String canonical(String code) {
        int point = code.indexOf('.');
        return point < 0 || code.startsWith("250.") ? code : code.substring(0, point);
    }

    static String group(String code) {
        if (code.equals(MISSING)) {
            return MISSING;
        }
        if (code.startsWith("V") || code.startsWith("E")) {
            return "Other";
        }
        int number = (int) Double.parseDouble(code);
        if (number == 250) {
            return "Diabetes";
        }
        if ((number >= 390 && number <= 459) || number == 785) {
            return "Circulatory";
        }
        if ((number >= 460 && number <= 519) || number == 786) {
            return "Respiratory";
        }
        if ((number >= 520 && number <= 579) || number == 787) {
            return "Digestive";
        }
        if ((number >= 580 && number <= 629) || number == 788) {
            return "Genitourinary";
        }
        if (number >= 140 && number <= 239) {
            return "Neoplasms";
        }
        if (number >= 710 && number <= 739) {
            return "Musculoskeletal";
        }
        return number >= 800 && number <= 999 ? "Injury" : "Other";
    }

    /** 1 to 999, diabetes with its complication and type (250.01 to 250.93), V01 to V91, E800 to E999. */
    static List<String> allCodes() {
        List<String> codes = new ArrayList<>();
        for (int number = 1; number <= 999; number++) {
            codes.add(Integer.toString(number));
        }
        for (int complication = 0; complication <= 9; complication++) {
            for (int type = 0; type <= 3; type++) {
                if (complication > 0 || type > 0) {
                    codes.add("250." + complication + (type == 0 ? "" : Integer.toString(type)));
                }
            }
        }
        for (int number = 1; number <= 91; number++) {
            codes.add("V" + (number < 10 ? "0" : "") + number);
        }
        for (int number = 800; number <= 999; number++) {
            codes.add("E" + number);
        }
        return codes;
    }
}
