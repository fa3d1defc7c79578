package utfkit;

/** A detected encoding, how certain it is, and why. */
public final class Detection {
    private final String encoding;
    private final String certainty;
    private final String reason;
    private final String readable;

    Detection(Packed packed) {
        encoding = orNull(packed.text());
        certainty = packed.text();
        reason = packed.text();
        readable = orNull(packed.text());
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The name of the encoding, or null if the bytes are not text. */
    public String encoding() {
        return encoding;
    }

    /** {@code certain}, {@code nearly certain}, {@code likely} or {@code a guess}. */
    public String certainty() {
        return certainty;
    }

    /** The evidence, as a person reads it. */
    public String reason() {
        return reason;
    }

    /** The charset of the encoding, or null if there is none, or it cannot be decoded. */
    public java.nio.charset.Charset charset() {
        return readable == null ? null : Encodings.charset(readable);
    }

    @Override
    public String toString() {
        return encoding + ", " + certainty + ": " + reason;
    }
}
