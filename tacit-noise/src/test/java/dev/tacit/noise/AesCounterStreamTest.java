package dev.tacit.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class AesCounterStreamTest {
    private static final String KEY = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
    private static final String COUNTER = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static byte[] firstBytes(AesCounterStream stream, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putLong(stream.nextLong());
        }
        return bytes.array();
    }

    /** NIST SP 800-38A, appendix F.5.5, CTR-AES256.Encrypt: keystream = plaintext xor ciphertext. */
    @Test
    void agreesWithTheVectorsOfTheStandard() {
        byte[] plaintext = hex("6bc1bee22e409f96e93d7e117393172a" + "ae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52ef" + "f69f2445df4f9b17ad2b417be66c3710");
        byte[] ciphertext = hex("601ec313775789a5b7a7f504bbf3d228" + "f443e3ca4d62b59aca84e990cacaf5c5"
                + "2b0930daa23de94ce87017ba2d84988d" + "dfc9c58db67aada613c2dd08457941a6");
        byte[] keystream = firstBytes(new AesCounterStream(hex(KEY + COUNTER), seed -> {}), plaintext.length);
        for (int i = 0; i < keystream.length; i++) {
            keystream[i] ^= plaintext[i];
        }
        assertThat(keystream).isEqualTo(ciphertext);
    }

    /** The block sizes 1, 4, 16, 32, 32 KB and the place of the next key, written out a second time. */
    @Test
    void takesTheNextKeyFromTheEndOfEachBlock() throws Exception {
        AesCounterStream stream = new AesCounterStream(hex(KEY + COUNTER), seed -> {});
        byte[] seed = hex(KEY + COUNTER);
        for (int kilobytes : new int[] {1, 4, 16, 32, 32}) {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, 0, 32, "AES"), new IvParameterSpec(seed, 32, 16));
            byte[] block = cipher.doFinal(new byte[kilobytes * 1024]);
            int output = block.length - seed.length;
            assertThat(firstBytes(stream, output)).isEqualTo(Arrays.copyOf(block, output));
            seed = Arrays.copyOfRange(block, output, block.length);
        }
    }

    @Test
    void mixesFreshBytesIntoTheKeyOnceInManyBlocks() {
        AesCounterStream plain = new AesCounterStream(hex(KEY + COUNTER), seed -> {});
        AesCounterStream refreshed = new AesCounterStream(hex(KEY + COUNTER), seed -> seed[3] ^= 1);
        // All blocks before the 512th, which is read under the changed key.
        long unchanged = 122 + 506 + 2042 + 508 * 4090;
        for (long i = 0; i < unchanged; i++) {
            assertThat(plain.nextLong() == refreshed.nextLong()).isTrue();
        }
        Set<Long> next = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            next.add(plain.nextLong());
            next.add(refreshed.nextLong());
        }
        assertThat(next).hasSize(2000);
    }

    @Test
    void fillsArraysWithTheSameWordsAsOneByOne() {
        AesCounterStream single = new AesCounterStream(hex(KEY + COUNTER), seed -> {});
        long[] words = new long[5000];
        new AesCounterStream(hex(KEY + COUNTER), seed -> {}).fill(words, 0, words.length);
        for (long word : words) {
            assertThat(word).isEqualTo(single.nextLong());
        }
    }

    @Test
    void refusesSeedsOfOtherLengths() {
        assertThatThrownBy(() -> new AesCounterStream(new byte[32], seed -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
