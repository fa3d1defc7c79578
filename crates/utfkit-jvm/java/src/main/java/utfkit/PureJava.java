package utfkit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * UTF-8 in Java alone: for short values, where a call of the native library costs more than the work, and for all
 * where there is none. The results are the same.
 */
final class PureJava {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH = 0x8080_8080_8080_8080L;

    /** Up to this many bytes are taken between two looks for US-ASCII. */
    private static final int RUN = 128;

    private static final int ACCEPT = 0;
    private static final int REJECT = 6;

    /**
     * An automaton without branches. A state is a multiple of six; a byte has the states that follow on each, six bits
     * apart. So a step is one shift, by the lowest six bits of a number, which are the state.
     */
    private static final long[] STEPS = steps();

    private PureJava() {}

    /** Table 3-7 of the Unicode Standard. */
    private static long[] steps() {
        int one = 12;
        int two = 18;
        int three = 24;
        // After a lead whose second byte has another range.
        int e0 = 30;
        int ed = 36;
        int f0 = 42;
        int f4 = 48;
        long[] steps = new long[256];
        for (int value = 0; value < 256; value++) {
            int lead = value < 0x80 ? ACCEPT
                    : value < 0xC2 ? REJECT
                    : value < 0xE0 ? one
                    : value == 0xE0 ? e0
                    : value == 0xED ? ed
                    : value < 0xF0 ? two
                    : value == 0xF0 ? f0
                    : value < 0xF4 ? three
                    : value == 0xF4 ? f4 : REJECT;
            boolean isNext = value >= 0x80 && value < 0xC0;
            steps[value] = (long) lead << ACCEPT
                    | (long) REJECT << REJECT
                    | (long) (isNext ? ACCEPT : REJECT) << one
                    | (long) (isNext ? one : REJECT) << two
                    | (long) (isNext ? two : REJECT) << three
                    | (long) (isNext && value >= 0xA0 ? one : REJECT) << e0
                    | (long) (isNext && value < 0xA0 ? one : REJECT) << ed
                    | (long) (isNext && value >= 0x90 ? two : REJECT) << f0
                    | (long) (isNext && value < 0x90 ? two : REJECT) << f4;
        }
        return steps;
    }

    /** True if the bytes are UTF-8. */
    static boolean isWellFormed(byte[] bytes, int at, int end) {
        long state = ACCEPT;
        while (at < end && (state & 63) != REJECT) {
            if ((state & 63) == ACCEPT) {
                at = asciiWordsEnd(bytes, at, end);
            }
            for (int stop = Math.min(end, at + RUN); at < stop; at++) {
                state = STEPS[bytes[at] & 0xFF] >>> state;
            }
        }
        return (state & 63) == ACCEPT;
    }

    /** A place before which there is nothing but US-ASCII: the first eight bytes that are not, or that there are not. */
    static int asciiWordsEnd(byte[] bytes, int at, int end) {
        while (at <= end - 8 && ((long) LONGS.get(bytes, at) & HIGH) == 0) {
            at += 8;
        }
        return at;
    }

    /** The end of the US-ASCII at the front. */
    static int asciiEnd(byte[] bytes, int at, int end) {
        for (; at <= end - 8; at += 8) {
            long high = (long) LONGS.get(bytes, at) & HIGH;
            if (high != 0) {
                return at + (Long.numberOfTrailingZeros(high) >> 3);
            }
        }
        while (at < end && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    /** The start of the first ill-formed sequence, or {@code end}. */
    static int wellFormedEnd(byte[] bytes, int at, int end) {
        while (true) {
            at = asciiEnd(bytes, at, end);
            // Characters beyond US-ASCII come in runs.
            while (at < end && bytes[at] < 0) {
                int length = sequence(bytes, at, end);
                if (length < 0) {
                    return at;
                }
                at += length;
            }
            if (at == end) {
                return end;
            }
        }
    }

    /**
     * The length of the character at {@code at}, which is not US-ASCII, or the negative length of the maximal subpart
     * that is ill-formed. Table 3-7 of the Unicode Standard.
     */
    private static int sequence(byte[] bytes, int at, int end) {
        int lead = bytes[at];
        if (lead < (byte) 0xC2) {
            return -1;
        }
        if (lead < (byte) 0xE0) {
            return isContinuation(bytes, at + 1, end) ? 2 : -1;
        }
        int least = 0x80;
        int most = 0xBF;
        int length = lead < (byte) 0xF0 ? 3 : 4;
        switch (lead & 0xFF) {
            case 0xE0:
                least = 0xA0;
                break;
            case 0xED:
                most = 0x9F;
                break;
            case 0xF0:
                least = 0x90;
                break;
            case 0xF4:
                most = 0x8F;
                break;
            default:
                if (lead > (byte) 0xF4) {
                    return -1;
                }
        }
        if (at + 1 >= end || (bytes[at + 1] & 0xFF) < least || (bytes[at + 1] & 0xFF) > most) {
            return -1;
        }
        for (int next = 2; next < length; next++) {
            if (!isContinuation(bytes, at + next, end)) {
                return -next;
            }
        }
        return length;
    }

    private static boolean isContinuation(byte[] bytes, int at, int end) {
        return at < end && bytes[at] < (byte) 0xC0;
    }

    /** The text with U+FFFD for each maximal subpart that is ill-formed; null if there is none. */
    static byte[] makeValid(byte[] bytes, int start, int end) {
        int at = wellFormedEnd(bytes, start, end);
        if (at == end) {
            return null;
        }
        byte[] made = new byte[Math.min(end - start, Integer.MAX_VALUE / 2) + 64];
        int written = 0;
        int kept = start;
        while (true) {
            long needed = (long) written + (at - kept) + 3;
            if (needed > made.length) {
                if (needed > Integer.MAX_VALUE - 8) {
                    throw new OutOfMemoryError("the text is longer than an array of Java can be");
                }
                made = Arrays.copyOf(made, (int) Math.min(Integer.MAX_VALUE - 8, needed + needed / 2));
            }
            System.arraycopy(bytes, kept, made, written, at - kept);
            written += at - kept;
            if (at == end) {
                return Arrays.copyOf(made, written);
            }
            made[written++] = (byte) 0xEF;
            made[written++] = (byte) 0xBF;
            made[written++] = (byte) 0xBD;
            kept = at - sequence(bytes, at, end);
            at = wellFormedEnd(bytes, kept, end);
        }
    }

    /** The first error, or null. */
    static Utf8Error firstError(byte[] bytes, int start, int end) {
        int at = wellFormedEnd(bytes, start, end);
        if (at == end) {
            return null;
        }
        int length = -sequence(bytes, at, end);
        return new Utf8Error(at - start, length, kind(bytes, at, at + length, end));
    }

    /** The kind of the maximal subpart from {@code at} to {@code after}: named by all bytes that its lead announces. */
    private static String kind(byte[] bytes, int at, int after, int end) {
        int lead = bytes[at] & 0xFF;
        if (lead < 0xC0) {
            return "unexpected-continuation";
        }
        if (lead >= 0xFE) {
            return "invalid-byte";
        }
        if (after == end && lead >= 0xC2 && lead <= 0xF4) {
            return "truncated";
        }
        // As many ones as the lead begins with.
        int announced = Integer.numberOfLeadingZeros(~(lead << 24));
        int value = lead & 0x7F >> announced;
        for (int next = 1; next < announced; next++) {
            if (!isContinuation(bytes, at + next, end)) {
                return lead >= 0xF8 ? "invalid-byte" : "missing-continuation";
            }
            value = value << 6 | bytes[at + next] & 0x3F;
        }
        int[] least = {0, 0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000};
        if (value < least[announced]) {
            return "overlong";
        }
        return value > 0x10_FFFF ? "too-large" : "surrogate";
    }
}
