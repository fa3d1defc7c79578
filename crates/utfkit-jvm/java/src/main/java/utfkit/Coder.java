package utfkit;

import java.lang.ref.Cleaner;

/** A native coder, and what its last step reported. */
final class Coder {
    static final int UNDERFLOW = 0;
    static final int OVERFLOW = 1;
    static final int MALFORMED = 2;
    static final int UNMAPPABLE = 3;

    /** The most bytes or units that one step takes. */
    static final int PIECE = 4096;

    private final long handle;
    private final Cleaner.Cleanable cleanable;
    private final int[] report = new int[4];
    private final byte[] bytes = new byte[PIECE];
    private final char[] chars = new char[PIECE];
    private boolean isUsed;

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
