package utfkit;

import java.util.Arrays;

/**
 * Short values in encodings of one byte per character: the character of each byte, as the library gave it. A call for
 * each value would cost more than the work.
 */
final class SingleByte {
    private static final byte[] NOTHING = new byte[0];

    /** The UTF-8 of each byte: up to three bytes, the first lowest, and above them their number. */
    private final int[] characters;

    private SingleByte(int[] characters) {
        this.characters = characters;
    }

    /** The characters of an encoding for which the library says that it is one of these. */
    static SingleByte of(int encoding) {
        int[] characters = new int[256];
        byte[] one = new byte[1];
        for (int value = 0; value < 256; value++) {
            one[0] = (byte) value;
            byte[] made = Native.toUtf8(one, 0, 1, encoding);
            made = made == null ? one : made;
            if (made.length == 0 || made.length > 3) {
                throw new IllegalStateException("not an encoding of one byte per character");
            }
            int packed = made.length << 24;
            for (int at = 0; at < made.length; at++) {
                packed |= (made[at] & 0xFF) << 8 * at;
            }
            characters[value] = packed;
        }
        return new SingleByte(characters);
    }

    /** The text as UTF-8. */
    byte[] toUtf8(byte[] bytes, int offset, int length) {
        if (length == 0) {
            return NOTHING;
        }
        byte[] made = new byte[3 * length];
        int written = 0;
        for (int at = offset; at < offset + length; at++) {
            int packed = characters[bytes[at] & 0xFF];
            made[written] = (byte) packed;
            int count = packed >>> 24;
            if (count > 1) {
                made[written + 1] = (byte) (packed >> 8);
                if (count > 2) {
                    made[written + 2] = (byte) (packed >> 16);
                }
            }
            written += count;
        }
        return Arrays.copyOf(made, written);
    }
}
