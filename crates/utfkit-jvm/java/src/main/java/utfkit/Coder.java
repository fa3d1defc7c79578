package utfkit;

import java.lang.ref.Cleaner;
import java.nio.Buffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/** A native coder, and what its last step reported. */
final class Coder {
    static final int UNDERFLOW = 0;
    static final int OVERFLOW = 1;
    static final int MALFORMED = 2;
    // Any other is what cannot be mapped.

    /** The most bytes or units that one step takes. */
    static final int PIECE = 4096;

    private final long handle;
    private final Cleaner.Cleanable cleanable;
    private final int[] report = new int[4];
    private final byte[] bytes = new byte[PIECE];
    private final char[] chars = new char[PIECE];
    private boolean isUsed;
    private boolean owes;

    /** A coder, which is released after {@code owner} is. */
    Coder(Object owner, int encoding, boolean decodes) {
        long made = Native.newCoder(encoding, decodes);
        handle = made;
        cleanable = Encodings.CLEANER.register(owner, () -> Native.freeCoder(made));
    }

    byte[] bytes() {
        return bytes;
    }

    char[] chars() {
        return chars;
    }

    /** Decodes the first {@code length} of {@link #bytes} into the first {@code capacity} of {@link #chars}. */
    void decode(int length, int capacity, boolean ends) {
        isUsed = true;
        Native.decodeStep(handle, bytes, length, chars, capacity, ends, report);
    }

    /** Encodes the first {@code length} of {@link #chars} into the first {@code capacity} of {@link #bytes}. */
    void encode(int length, int capacity, boolean ends) {
        isUsed = true;
        Native.encodeStep(handle, chars, length, bytes, capacity, ends, report);
    }

    void reset() {
        if (isUsed) {
            isUsed = false;
            Native.resetCoder(handle);
        }
    }

    void close() {
        cleanable.clean();
    }

    /**
     * What the last step ends a loop with, or null. An error that is not reported is behind {@code in} then, and
     * {@link #owes} a replacement, perhaps.
     */
    CoderResult ended(Buffer in, CodingErrorAction malformed, CodingErrorAction unmappable) {
        owes = false;
        switch (end()) {
            case OVERFLOW:
                return read() == 0 ? CoderResult.OVERFLOW : null;
            case UNDERFLOW:
                return read() == 0 || !in.hasRemaining() ? CoderResult.UNDERFLOW : null;
            default:
                boolean isMalformed = end() == MALFORMED;
                CodingErrorAction action = isMalformed ? malformed : unmappable;
                if (action == CodingErrorAction.REPORT) {
                    return isMalformed
                            ? CoderResult.malformedForLength(length())
                            : CoderResult.unmappableForLength(length());
                }
                in.position(in.position() + length());
                owes = action == CodingErrorAction.REPLACE;
                return null;
        }
    }

    /** True if the last step has an error that a replacement stands for. */
    boolean owes() {
        return owes;
    }

    /** The number of bytes or units that the last step read. */
    int read() {
        return report[0];
    }

    /** The number of units or bytes that it wrote. */
    int written() {
        return report[1];
    }

    /** What it ended with. */
    int end() {
        return report[2];
    }

    /** The length of the error, in what it read. */
    int length() {
        return report[3];
    }
}
