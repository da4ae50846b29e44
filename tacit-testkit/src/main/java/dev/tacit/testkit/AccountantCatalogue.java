package dev.tacit.testkit;

import dev.tacit.privacy.accountant.AdvancedCompositionAccountant;
import dev.tacit.privacy.accountant.BasicCompositionAccountant;
import dev.tacit.privacy.accountant.ExactAccountant;
import dev.tacit.privacy.accountant.PrivacyAccountant;
import dev.tacit.privacy.accountant.RenyiAccountant;
import dev.tacit.privacy.accountant.ZeroConcentratedAccountant;
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
