package utfkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * UTF-8: validation, findings, repair, and strings.
 *
 * <pre>{@code
 * byte[] raw = {'c', 'a', 'f', (byte) 0xE9};
 * System.out.println(Utf8.isValid(raw));          // false
 * System.out.println(Utf8.firstError(raw));       // truncated at offset 3
 * System.out.println(Utf8.decode(raw));           // caf\uFFFD
 * }</pre>
 *
 * <p>An ill-formed sequence is a maximal subpart (Unicode Standard, section 3.9), and one U+FFFD is written for each.
 * {@code new String(bytes, UTF_8)} writes one for the three bytes of a surrogate, where this class writes three.
 *
 * <p>Without a native library for the platform, all but {@link #findings} and repair with options works in Java alone,
 * with the same results.
 */
public final class Utf8 {
    /** Up to this many bytes, the US-ASCII at the front is skipped in Java. */
    static final int SHORT = 256;

    /** Up to this many bytes from the first beyond US-ASCII on, a call of the native library takes longer than Java. */
    private static final int FEW = 96;

    private Utf8() {}

    /** True if the bytes are UTF-8. */
    public static boolean isValid(byte[] bytes) {
        return isValid(bytes, 0, bytes.length);
    }

    /** True if {@code length} bytes from {@code offset} on are UTF-8. */
    public static boolean isValid(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int end = offset + length;
        int at = length <= SHORT ? PureJava.asciiWordsEnd(bytes, offset, end) : offset;
        if (end - at <= FEW || !Native.IS_THERE) {
            return PureJava.isWellFormed(bytes, at, end);
        }
        return Native.isValid(bytes, at, end - at);
    }

    /**
     * Fails if the bytes are not UTF-8.
     *
     * @throws IllFormedException with offset, length and kind of the first error
     */
    public static void validate(byte[] bytes) {
        validate(bytes, 0, bytes.length);
    }

    /**
     * Fails if the bytes are not UTF-8.
     *
     * @throws IllFormedException with offset, length and kind of the first error
     */
    public static void validate(byte[] bytes, int offset, int length) {
        if (!isValid(bytes, offset, length)) {
            throw new IllFormedException(firstError(bytes, offset, length));
        }
    }

    /** The first error, or null. */
    public static Utf8Error firstError(byte[] bytes) {
        return firstError(bytes, 0, bytes.length);
    }

    /** The first error, or null. Its offset counts from {@code offset}. */
    public static Utf8Error firstError(byte[] bytes, int offset, int length) {
        if (isValid(bytes, offset, length)) {
            return null;
        }
        if (!Native.IS_THERE) {
            return PureJava.firstError(bytes, offset, offset + length);
        }
        byte[] packed = Native.firstError(bytes, offset, length);
        if (packed == null) {
            // Another thread has changed the bytes.
            return null;
        }
        Packed error = new Packed(packed);
        return new Utf8Error(error.number(), (int) error.number(), error.text());
    }

    /** The bytes if they are UTF-8, otherwise new ones with U+FFFD for ill-formed sequences. */
    public static byte[] makeValid(byte[] bytes) {
        byte[] made = makeValid(bytes, 0, bytes.length);
        return made == null ? bytes : made;
    }

    /** New bytes with U+FFFD for ill-formed sequences, or null if the bytes are UTF-8. */
    public static byte[] makeValid(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int end = offset + length;
        if (length > SHORT && Native.IS_THERE) {
            return Native.makeValid(bytes, offset, length);
        }
        if (isValid(bytes, offset, length)) {
            return null;
        }
        return Native.IS_THERE ? Native.makeValid(bytes, offset, length) : PureJava.makeValid(bytes, offset, end);
    }

    /** All findings, as {@code utfkit check} reports them for a file with these bytes. */
    public static List<Finding> findings(byte[] bytes) {
        return findings(bytes, 0, bytes.length);
    }

    /** All findings. Their offsets count from {@code offset}. */
    public static List<Finding> findings(byte[] bytes, int offset, int length) {
        if (isValid(bytes, offset, length)) {
            return Collections.emptyList();
        }
        return Encodings.findings(bytes, offset, length, "UTF-8");
    }

    /** The text, with U+FFFD for ill-formed sequences. */
    public static String decode(byte[] bytes) {
        // The JDK knows how its strings are laid out, but has another practice for what is ill-formed.
        return new String(makeValid(bytes), StandardCharsets.UTF_8);
    }

    /**
     * The text.
     *
     * @throws IllFormedException with offset, length and kind of the first error
     */
    public static String decodeStrict(byte[] bytes) {
        validate(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * The text as bytes, with U+FFFD for a surrogate on its own. {@code String.getBytes} writes a question mark for
     * that.
     */
    public static byte[] encode(String text) {
        return hasLoneSurrogate(text)
                ? replaceLoneSurrogates(text).getBytes(StandardCharsets.UTF_8)
                : text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            if (Character.isSurrogate(unit)) {
                if (!Character.isHighSurrogate(unit)
                        || at + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(at + 1))) {
                    return true;
                }
                at++;
            }
        }
        return false;
    }

    private static String replaceLoneSurrogates(String text) {
        StringBuilder made = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> made.appendCodePoint(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c));
        return made.toString();
    }

    /** The bytes if nothing is to be repaired, otherwise new ones, which are UTF-8. */
    public static byte[] repair(byte[] bytes, RepairOptions options) {
        byte[] made = repair(bytes, 0, bytes.length, options);
        return made == null ? bytes : made;
    }

    /** New bytes, which are UTF-8, or null if nothing is to be repaired. */
    public static byte[] repair(byte[] bytes, int offset, int length, RepairOptions options) {
        if (options.isDefault()) {
            return makeValid(bytes, offset, length);
        }
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (PureJava.asciiEnd(bytes, offset, offset + Math.min(length, SHORT)) == offset + length) {
            return null;
        }
        Native.need("a repair with options");
        return Native.repair(bytes, offset, length, options.number(), options.flags());
    }

    static List<Finding> unpacked(byte[] packed) {
        List<Finding> findings = new ArrayList<>();
        if (packed != null) {
            for (Packed each = new Packed(packed); each.hasMore(); ) {
                findings.add(new Finding(each));
            }
        }
        return findings;
    }
}
