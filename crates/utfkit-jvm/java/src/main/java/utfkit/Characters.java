package utfkit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Short values in encodings of one or two bytes per character: the character of each byte and each pair, as the library
 * gave it. A call for each value would cost more than the work.
 */
final class Characters {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] NOTHING = new byte[0];

    /** The most bytes of UTF-8 for a byte, and what is written beyond the last. */
    private static final int MOST = 3;

    private static final int BEYOND = 4;

    /**
     * The UTF-8 of each byte, then of each pair whose first byte has the highest bit: up to three bytes, the first
     * lowest, and above them their number. 0 is what the library has to decode.
     */
    private final int[] characters;

    private final boolean hasPairs;

    private Characters(int[] characters) {
        this.characters = characters;
        hasPairs = characters.length > 256;
    }

    /** The characters of an encoding for which the library says that it is one of these. */
    static Characters of(int encoding) {
        ByteBuffer packed = ByteBuffer.wrap(Native.characters(encoding)).order(ByteOrder.LITTLE_ENDIAN);
        int[] characters = new int[packed.remaining() / 4];
        packed.asIntBuffer().get(characters);
        return new Characters(characters);
    }

    /** The text as UTF-8, or null if the library has to decode it. */
    byte[] toUtf8(byte[] bytes, int offset, int length) {
        if (length == 0) {
            return NOTHING;
        }
        byte[] made = new byte[MOST * length + BEYOND];
        int written = hasPairs ? pairs(bytes, offset, offset + length, made) : singles(bytes, offset, offset + length, made);
        return written < 0 ? null : Arrays.copyOf(made, written);
    }

    /** Without branches: what is written beyond a character is written over. */
    private int singles(byte[] bytes, int at, int end, byte[] made) {
        int[] characters = this.characters;
        int written = 0;
        for (; at < end; at++) {
            int packed = characters[bytes[at] & 0xFF];
            INTS.set(made, written, packed);
            written += packed >>> 24;
        }
        return written;
    }

    /** The length, or -1 for what the library has to decode. */
    private int pairs(byte[] bytes, int at, int end, byte[] made) {
        int[] characters = this.characters;
        int written = 0;
        while (at < end) {
            int first = bytes[at++];
            int packed = characters[first & 0xFF];
            if (packed == 0) {
                if (at == end || first >= 0) {
                    return -1;
                }
                packed = characters[256 + ((first & 0x7F) << 8 | bytes[at++] & 0xFF)];
                if (packed == 0) {
                    return -1;
                }
            }
            INTS.set(made, written, packed);
            written += packed >>> 24;
        }
        return written;
    }
}
