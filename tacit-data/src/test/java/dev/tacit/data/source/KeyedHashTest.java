package dev.tacit.data.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeyedHashTest {
    /** One computation for all texts, of every length around the ends of blocks: nothing of a text is left for the next. */
    @Test
    void hashesAsJavasOwn() {
        byte[] secret = new byte[SketchKey.BYTES];
        byte[] text = new byte[300];
        for (int i = 0; i < text.length; i++) {
            secret[i % secret.length] = (byte) (31 * i);
            text[i] = (byte) (7 * i);
        }
        SketchKey key = new SketchKey(secret);
        KeyedHash keyed = key.hash();
        for (int length = 0; length <= text.length; length++) {
            assertThat(keyed.of(text, length)).isEqualTo(key.mac().doFinal(Arrays.copyOf(text, length)));
        }
    }
}
