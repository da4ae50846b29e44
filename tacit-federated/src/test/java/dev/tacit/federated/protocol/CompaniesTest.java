package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.StudyParty;
import dev.tacit.federated.message.StudyTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Everything that a coordinator with T parties can learn of one sum from the others: it asks every honest party in a company of its own
 * choice, shows each a list of survivors of its own choice, and puts together whatever masks come off. Exhaustive for small studies.
 *
 * <pre>
 *   vector of j      x_j + self mask(b_j) + Σ_{k in j's company} ± mask(s_j, s_k, j's company)
 *   a list opens     b of who is said to survive, s of who is said to be lost, if t parties agreed to it
 *   seen             Σ_{j∈Q} x_j for the smallest Q whose masks are all known or cancel; every other sum is uniform
 *   must hold        |Q| ≥ survivors − T, as many as the noise in each share is made for
 * </pre>
 *
 * A company has a request, of which there are one or two; masks of different requests do not cancel.
 */
class CompaniesTest {
    private static final int NOBODY = 0;

    /** A list: the company that it is about, with its request in the bits above, and who of it survives. */
    private record Listed(int company, int survivors) {}

    /**
     * A study and what honest parties look at.
     *
     * @param threshold how many must agree
     * @param vectorsSigned whether they agree only to vectors of their own company
     * @param requests how many a coordinator makes
     * @param agreements how many lists it tries to open
     */
    private record Model(
            int size, int colluders, int dropouts, int threshold, boolean vectorsSigned, int requests, int agreements) {
        Model credulous() {
            return new Model(size, colluders, dropouts, threshold, false, requests, agreements);
        }

        Model withOneSignatureLess() {
            return new Model(size, colluders, dropouts, threshold - 1, vectorsSigned, requests, agreements);
        }

        int everybody() {
            return (1 << size) - 1;
        }

        int honest() {
            return (1 << (size - colluders)) - 1;
        }

        int dishonest() {
            return everybody() & ~honest();
        }

        /** The fewest honest parties whose sum is seen, beyond what is allowed: empty if nothing ever is. */
        Optional<String> violation() {
            return violation(new int[size - colluders], 0);
        }

        /** All ways to ask. */
        private Optional<String> violation(int[] companies, int party) {
            if (party == companies.length) {
                return violation(companies, lists(companies), List.of());
            }
            for (int company = 0; company < requests << size; company++) {
                if ((company >> party & 1) == 1 && Integer.bitCount(company & everybody()) >= size - dropouts) {
                    companies[party] = company;
                    Optional<String> found = violation(companies, party + 1);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            return Optional.empty();
        }

        /** Lists to which somebody could agree. */
        private List<Listed> lists(int[] companies) {
            List<Listed> lists = new ArrayList<>();
            IntStream.of(companies).distinct().forEach(company -> {
                int members = company & everybody();
                for (int survivors = members; survivors > 0; survivors = (survivors - 1) & members) {
                    Listed list = new Listed(company, survivors);
                    if (Integer.bitCount(survivors) >= size - dropouts && isAgreeable(companies, list)) {
                        lists.add(list);
                    }
                }
            });
            return lists;
        }

        /** What {@link PartyGuard#VECTORS_SIGNED} asks. */
        private boolean isAgreeable(int[] companies, Listed list) {
            return !vectorsSigned
                    || IntStream.range(0, companies.length)
                            .allMatch(j -> (list.survivors >> j & 1) == 0 || companies[j] == list.company);
        }

        /** All ways to show lists: each honest party agrees to one, dishonest ones to all. */
        private Optional<String> violation(int[] companies, List<Listed> lists, List<Listed> chosen) {
            Optional<String> found =
                    chosen.isEmpty() ? Optional.empty() : shown(companies, chosen, 0, new int[chosen.size()]);
            for (int i = 0; found.isEmpty() && chosen.size() < agreements && i < lists.size(); i++) {
                List<Listed> more = new ArrayList<>(chosen);
                more.add(lists.get(i));
                found = violation(companies, lists.subList(i + 1, lists.size()), more);
            }
            return found;
        }

        private Optional<String> shown(int[] companies, List<Listed> chosen, int party, int[] signers) {
            if (party == companies.length) {
                return opened(companies, chosen, signers);
            }
            Optional<String> found = Optional.empty();
            boolean asked = false;
            for (int i = 0; found.isEmpty() && i < chosen.size(); i++) {
                if (chosen.get(i).company == companies[party]) {
                    asked = true;
                    signers[i]++;
                    found = shown(companies, chosen, party + 1, signers);
                    signers[i]--;
                }
            }
            return asked ? found : shown(companies, chosen, party + 1, signers);
        }

        private Optional<String> opened(int[] companies, List<Listed> chosen, int[] signers) {
            int selfSeeds = dishonest();
            int maskSeeds = dishonest();
            int fewest = Integer.MAX_VALUE;
            for (int i = 0; i < chosen.size(); i++) {
                Listed list = chosen.get(i);
                if (signers[i] + colluders >= threshold) {
                    selfSeeds |= list.survivors;
                    maskSeeds |= list.company & everybody() & ~list.survivors;
                    fewest = Math.min(fewest, Integer.bitCount(list.survivors) - colluders);
                }
            }
            for (int j = 0; j < companies.length; j++) {
                int seen = smallest(companies, j, selfSeeds, maskSeeds);
                if (seen != NOBODY && Integer.bitCount(seen) < fewest) {
                    return Optional.of("a sum of " + Integer.bitCount(seen) + " where " + fewest + " are promised");
                }
            }
            return Optional.empty();
        }

        /** The smallest sum with a party in it of which all masks come off; nobody if there is none. */
        private static int smallest(int[] companies, int party, int selfSeeds, int maskSeeds) {
            int found = 1 << party;
            int before = NOBODY;
            while (found != before) {
                before = found;
                for (int j = 0; j < companies.length; j++) {
                    if ((before >> j & 1) == 0) {
                        continue;
                    }
                    if ((selfSeeds >> j & 1) == 0) {
                        return NOBODY;
                    }
                    int hidden = (maskSeeds >> j & 1) == 1 ? NOBODY : companies[j] & ~maskSeeds;
                    for (int k = 0; k < companies.length; k++) {
                        if (k != j && (hidden >> k & 1) == 1) {
                            if (companies[k] != companies[j]) {
                                return NOBODY;
                            }
                            found |= 1 << k;
                        }
                    }
                }
            }
            return found;
        }
    }

    private static Model of(int size, int colluders, int dropouts, int requests, int agreements) {
        List<StudyParty> roster = IntStream.range(0, size)
                .mapToObj(place -> new StudyParty("party-" + place, new byte[32], new byte[32]))
                .toList();
        StudyTerms terms = new StudyTerms(new byte[32], new byte[32], roster, colluders, dropouts, true, 1, 1);
        boolean vectorsSigned = PartyTable.STANDARD
                .find(PartyPhase.SHARED, MessageKind.SURVIVORS)
                .orElseThrow()
                .guards()
                .contains(PartyGuard.VECTORS_SIGNED);
        return new Model(size, colluders, dropouts, terms.threshold(), vectorsSigned, requests, agreements);
    }

    @Test
    void nothingIsSeenBeyondTheSumOfAllThatSurvive() {
        assertThat(of(3, 0, 1, 2, 3).violation()).isEmpty();
        assertThat(of(4, 1, 1, 2, 3).violation()).isEmpty();
        assertThat(of(5, 2, 1, 2, 3).violation()).isEmpty();
        assertThat(of(5, 1, 1, 2, 2).violation()).isEmpty();
        assertThat(of(5, 0, 2, 1, 2).violation()).isEmpty();
        assertThat(of(6, 1, 2, 1, 1).violation()).isEmpty();
    }

    /** The twin: parties that look at their own vector only, as was once thought to be enough. */
    @Test
    void agreeingToVectorsOfOtherCompaniesIsFound() {
        assertThat(of(4, 1, 1, 1, 1).credulous().violation()).contains("a sum of 1 where 2 are promised");
        assertThat(of(5, 0, 2, 1, 1).credulous().violation()).isPresent();
        assertThat(of(5, 2, 1, 1, 1).credulous().violation()).isPresent();
        assertThat(of(6, 1, 2, 1, 1).credulous().violation()).isPresent();
    }

    /** The twin: one signature fewer, or one party that agrees twice. */
    @Test
    void aThresholdThatIsTooLowIsFound() {
        assertThat(of(4, 1, 1, 1, 2).withOneSignatureLess().violation()).isPresent();
        assertThat(of(5, 2, 1, 1, 2).withOneSignatureLess().violation()).isPresent();
        assertThat(of(5, 1, 1, 1, 2).withOneSignatureLess().violation()).isPresent();
    }
}
