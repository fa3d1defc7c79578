package utfkit;

/**
 * The native methods, and whether there are any. Arrays are copied, and bounds are checked against the array.
 *
 * <p>A method must not be called where {@link #IS_THERE} is false: {@link #need} fails with the reason.
 */
final class Native {
    /** Why there is no native library, or null if there is one. */
    static final String REASON = NativeLibrary.load();

    /** True if the native library is loaded. A constant once this class is, so branches on it cost nothing. */
    static final boolean IS_THERE = REASON == null;

    private Native() {}

    /** Fails if there is no native library. */
    static void need(String what) {
        if (!IS_THERE) {
            throw new UnsupportedOperationException(what + " needs the native library of utfkit: " + REASON);
        }
    }

    static native boolean isValid(byte[] bytes, int offset, int length);

    static native byte[] firstError(byte[] bytes, int offset, int length);

    static native byte[] makeValid(byte[] bytes, int offset, int length);

    static native byte[] findings(byte[] bytes, int offset, int length, int encoding);

    static native byte[] detect(byte[] bytes, int offset, int length);

    static native boolean isFallback(int encoding);

    static native byte[] repair(byte[] bytes, int offset, int length, int fallback, int flags);

    static native byte[] version();

    static native byte[] instructions();

    static native byte[] encodings();

    static native int encodingForLabel(byte[] label);

    static native byte[] characters(int encoding);

    static native byte[] toUtf8(byte[] bytes, int offset, int length, int encoding);

    static native int toUtf8Within(byte[] bytes, int offset, int length, int encoding, byte[] scratch);

    static native byte[] detectedToUtf8(byte[] bytes, int offset, int length);

    static native String toText(byte[] bytes, int offset, int length, int encoding, boolean strict);

    static native byte[] encode(char[] chars, int length, int encoding, boolean strict);

    static native long newCoder(int encoding, boolean decodes);

    static native void resetCoder(long handle);

    static native void freeCoder(long handle);

    static native void decodeStep(
            long handle, byte[] bytes, int length, char[] chars, int capacity, boolean ends, int[] report);

    static native void encodeStep(
            long handle, char[] chars, int length, byte[] bytes, int capacity, boolean ends, int[] report);

    static native long newDetector();

    static native void feedDetector(long handle, byte[] bytes, int offset, int length);

    static native byte[] finishDetector(long handle);

    static native void freeDetector(long handle);
}
