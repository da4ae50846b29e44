package dev.tacit.testkit.accountant;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.classic.AdvancedCompositionAccountant;
import dev.tacit.accounting.classic.BasicCompositionAccountant;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.accounting.renyi.ZeroConcentratedAccountant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every accountant whose answers are bounds, for suites that must hold for all of them. */
public final class AccountantCatalogue {
    private AccountantCatalogue() {}

    /** All accountants, the sharpest first. */
    public static List<PrivacyAccountant> all() {
        return List.of(
                new ExactAccountant(),
                new RenyiAccountant(),
                new ZeroConcentratedAccountant(),
                new AdvancedCompositionAccountant(),
                new BasicCompositionAccountant());
    }

    /** All accountants by the name they have in answers. */
    public static Map<String, PrivacyAccountant> byName() {
        Map<String, PrivacyAccountant> accountants = new LinkedHashMap<>();
        for (PrivacyAccountant accountant : all()) {
            accountants.put(accountant.name(), accountant);
        }
        return accountants;
    }
}
