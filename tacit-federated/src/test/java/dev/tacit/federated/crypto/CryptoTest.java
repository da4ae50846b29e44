package dev.tacit.federated.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys, seals, masks and shares: published vectors where there are some, and what each promises. */
class CryptoTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    /** RFC 8032, section 7.1, test 2. */
    @Test
    void signaturesAreThoseOfTheStandard() {
        Identity identity = Identity.of(hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"));
        assertThat(identity.publicKey())
                .isEqualTo(hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"));
        byte[] signature = identity.sign(new byte[] {0x72});
        assertThat(signature)
                .isEqualTo(
                        hex(
                                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"));
        assertThat(Identity.verify(identity.publicKey(), new byte[] {0x72}, signature))
                .isTrue();
        assertThat(Identity.verify(identity.publicKey(), new byte[] {0x73}, signature))
                .isFalse();
        assertThat(Identity.verify(new byte[31], new byte[] {0x72}, signature)).isFalse();
        assertThat(identity.toString()).isEqualTo("an identity");
    }

    /** RFC 7748, section 5.2, first vector. */
    @Test
    void agreementsAreThoseOfTheStandard() {
        byte[] scalar = hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
        byte[] point = hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
        assertThat(SealedBox.agree(scalar, point))
                .isEqualTo(hex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"));
        assertThatThrownBy(() -> SealedBox.agree(scalar, new byte[32])).hasMessageContaining("no public key");
    }

    @Test
    void boxesAreOpenedByWhomTheyAreFor() throws BrokenSeal {
        RoundSeal north = RoundSeal.fresh(SecureNoise.create());
        RoundSeal later = RoundSeal.fresh(SecureNoise.create());
        SealedBox south = SealedBox.fresh(SecureNoise.create());
        SealedBox other = SealedBox.fresh(SecureNoise.create());
        byte[] context = "round 3".getBytes(UTF_8);
        byte[] text = "a share".getBytes(UTF_8);
        byte[] box = north.seal(south.publicKey(), context, text);
        assertThat(box).hasSize(text.length + SealedBox.OVERHEAD_BYTES);
        assertThat(south.open(north.publicKey(), context, box)).isEqualTo(text);
        assertThat(SealedBox.of(south.privateKey()).open(north.publicKey(), context, box))
                .isEqualTo(text);
        assertThatThrownBy(() -> other.open(north.publicKey(), context, box)).isInstanceOf(BrokenSeal.class);
        assertThatThrownBy(() -> south.open(later.publicKey(), context, box)).isInstanceOf(BrokenSeal.class);
        assertThatThrownBy(() -> south.open(new byte[32], context, box)).isInstanceOf(BrokenSeal.class);
        assertThatThrownBy(() -> south.open(north.publicKey(), "round 4".getBytes(UTF_8), box))
                .isInstanceOf(BrokenSeal.class);
        byte[] changed = box.clone();
        changed[2] ^= 4;
        assertThatThrownBy(() -> south.open(north.publicKey(), context, changed))
                .hasMessageContaining("changed on the way");
    }

    @Test
    void keysDependOnEverythingTheyAreFor() {
        byte[] secret = new byte[32];
        byte[] key = KeyDerivation.key(secret, "a", new byte[] {1}, new byte[] {2});
        assertThat(key).hasSize(32).isEqualTo(KeyDerivation.key(secret, "a", new byte[] {1}, new byte[] {2}));
        assertThat(key).isNotEqualTo(KeyDerivation.key(secret, "b", new byte[] {1}, new byte[] {2}));
        assertThat(key).isNotEqualTo(KeyDerivation.key(secret, "a", new byte[] {1, 2}));
        assertThat(key).isNotEqualTo(KeyDerivation.key(secret, "a", new byte[] {1}, new byte[] {3}));
        assertThat(ContentHash.of("a", new byte[] {1}, new byte[] {2}))
                .isNotEqualTo(ContentHash.of("a", new byte[] {1, 2}, new byte[0]));
    }

    @Test
    void masksAreTheKeystreamOfTheCipherAndCancel() throws GeneralSecurityException {
        byte[] key = KeyDerivation.key(new byte[32], "test");
        for (int count : new int[] {1, 7, 2048, 2049, 5000}) {
            long[] numbers = new long[count];
            RoundMasks.apply(numbers, key, true);
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
            byte[] stream = cipher.doFinal(new byte[8 * count]);
            for (int i = 0; i < count; i++) {
                assertThat(numbers[i])
                        .isEqualTo(ByteBuffer.wrap(stream)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getLong(8 * i));
            }
            RoundMasks.apply(numbers, key, false);
            assertThat(numbers).containsOnly(0);
        }
    }

    @Test
    void pairMasksOfTwoPartiesCancelInOneContextOnly() {
        RoundKeys north = RoundKeys.fresh(ReplayNoise.ofSeed(1), 0);
        RoundKeys south = RoundKeys.fresh(ReplayNoise.ofSeed(2), 0);
        byte[] common = north.agreement(south.publicKey());
        assertThat(common).isEqualTo(south.agreement(north.publicKey()));
        long[] sum = new long[9];
        new RoundMasks(new byte[] {1}).addPair(sum, common, 3, 8);
        assertThat(sum).doesNotContain(0);
        long[] one = sum.clone();
        new RoundMasks(new byte[] {1}).addPair(sum, common, 8, 3);
        assertThat(sum).containsOnly(0);
        new RoundMasks(new byte[] {1}).removePair(one, common, 3, 8);
        assertThat(one).containsOnly(0);
        new RoundMasks(new byte[] {1}).addPair(sum, common, 3, 8);
        new RoundMasks(new byte[] {2}).addPair(sum, common, 8, 3);
        assertThat(sum).doesNotContain(0);
        assertThatThrownBy(() -> new RoundMasks(new byte[] {1}).addPair(sum, common, 3, 3))
                .hasMessageContaining("two parties");
        long[] self = new long[4];
        new RoundMasks(new byte[] {1}).addSelf(self, north.selfSeed(), 0);
        new RoundMasks(new byte[] {1}).removeSelf(self, north.selfSeed(), 0);
        assertThat(self).containsOnly(0);
    }

    private enum Sender {
        MASKED,
        MASK_DROPPED,
        MASK_REUSED
    }

    /**
     * What a party sends of the same numbers, and what it changes by from round to round, is uniform in every byte. Bytes of uniform words are
     * independent, and so are those of their changes: each of the two sums of 8 chi-squares has 2040 degrees of freedom and is above 2400 with
     * probability below 5e-8 (Wilson and Hilferty 1931), one of them below 1e-7. Keys are of seed 1 and 2.
     */
    @ParameterizedTest
    @EnumSource(Sender.class)
    void aMaskedVectorIsUniform(Sender sender) {
        byte[] common = RoundKeys.fresh(ReplayNoise.ofSeed(1), 0)
                .agreement(RoundKeys.fresh(ReplayNoise.ofSeed(2), 0).publicKey());
        int rounds = 400;
        long[][] counts = new long[2][8 * 256];
        long[] before = new long[64];
        for (int round = 0; round <= rounds; round++) {
            long[] sent = new long[64];
            Arrays.setAll(sent, i -> i - 20);
            if (sender != Sender.MASK_DROPPED) {
                byte[] context = ContentHash.number(sender == Sender.MASK_REUSED ? 0 : round);
                new RoundMasks(context).addPair(sent, common, 0, 1);
            }
            for (int i = 0; round > 0 && i < sent.length; i++) {
                for (int place = 0; place < 8; place++) {
                    counts[0][256 * place + (int) ((sent[i] >>> (8 * place)) & 255)]++;
                    counts[1][256 * place + (int) (((sent[i] - before[i]) >>> (8 * place)) & 255)]++;
                }
            }
            before = sent;
        }
        double expected = rounds * before.length / 256.0;
        double[] chiSquares = Arrays.stream(counts)
                .mapToDouble(each -> Arrays.stream(each)
                        .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                        .sum())
                .toArray();
        assertThat(Math.max(chiSquares[0], chiSquares[1]) < 2400)
                .as("chi-squares of shares and of changes, " + Arrays.toString(chiSquares))
                .isEqualTo(sender == Sender.MASKED);
    }

    @Test
    void anyEnoughSharesGiveTheSecretAndFewerDoNot() {
        Random random = new Random(4);
        for (int holders : new int[] {2, 3, 10, 100, 255}) {
            int threshold = holders / 2 + 1;
            byte[] secret = new byte[48];
            random.nextBytes(secret);
            byte[][] shares = SecretShares.split(secret, threshold, holders, SecureNoise.create());
            for (int trial = 0; trial < 3; trial++) {
                List<Integer> places = new ArrayList<>();
                for (int place = 0; place < holders; place++) {
                    places.add(place);
                }
                Collections.shuffle(places, random);
                Map<Integer, byte[]> chosen = new TreeMap<>();
                places.subList(0, threshold).forEach(place -> chosen.put(place, shares[place]));
                assertThat(SecretShares.combine(chosen)).isEqualTo(secret);
                // A share of a part of the secret is the part of the share.
                Map<Integer, byte[]> parts = new TreeMap<>();
                chosen.forEach((place, share) -> parts.put(place, Arrays.copyOfRange(share, 16, 32)));
                assertThat(SecretShares.combine(parts)).isEqualTo(Arrays.copyOfRange(secret, 16, 32));
                chosen.remove(places.get(0));
                if (!chosen.isEmpty()) {
                    assertThat(SecretShares.combine(chosen)).isNotEqualTo(secret);
                }
            }
        }
        assertThatThrownBy(() -> SecretShares.split(new byte[1], 1, 3, SecureNoise.create()))
                .hasMessageContaining("2 to 255");
        assertThatThrownBy(() -> SecretShares.split(new byte[1], 4, 3, SecureNoise.create()))
                .hasMessageContaining("2 to 255");
    }

    /** One share of a fixed byte is uniform: 255 degrees of freedom, χ² above 390 has probability below 1e-6. */
    @Test
    void oneShareSaysNothing() {
        ReplayNoise source = ReplayNoise.ofSeed(7);
        int[] counts = new int[256];
        int trials = 256 * 40;
        for (int i = 0; i < trials; i++) {
            counts[SecretShares.split(new byte[] {77}, 2, 3, source)[1][0] & 255]++;
        }
        double statistic = 0;
        for (int count : counts) {
            statistic += (count - 40.0) * (count - 40.0) / 40;
        }
        assertThat(statistic).isLessThan(390);
    }

    @Test
    void oneRootShowsTheLayersFromItsOwnOn() {
        RoundKeys keys = RoundKeys.fresh(ReplayNoise.ofSeed(3), 4);
        assertThat(RoundKeys.of(keys.kept(), 4).shared()).isEqualTo(keys.shared());
        byte[] shared = keys.shared();
        assertThat(shared).hasSize(6 * RoundKeys.SEED_BYTES);
        byte[] third = Arrays.copyOfRange(shared, 4 * RoundKeys.SEED_BYTES, 5 * RoundKeys.SEED_BYTES);
        assertThat(RoundKeys.layerAnchor(third, 2)).isEqualTo(keys.layerAnchor());
        assertThat(RoundKeys.layerAnchor(third, 3)).isNotEqualTo(keys.layerAnchor());
        long[] whole = new long[5];
        long[] shown = new long[5];
        keys.noiseLayers().get(2).add(1e6, whole);
        RoundKeys.noiseLayers(third, 2).get(0).add(1e6, shown);
        assertThat(shown).isEqualTo(whole);
        byte[] maskSeed = Arrays.copyOf(shared, RoundKeys.SEED_BYTES);
        assertThat(RoundKeys.publicKey(maskSeed)).isEqualTo(keys.publicKey());
        assertThat(RoundKeys.selfCommitment(keys.selfSeed())).isEqualTo(keys.selfCommitment());
    }
}
