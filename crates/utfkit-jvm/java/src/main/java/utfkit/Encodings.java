package utfkit;

import java.lang.ref.Cleaner;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Every encoding of utfkit by its name or another label: conversion from and to strings, and charsets.
 *
 * <pre>{@code
 * String text = Encodings.decode(bytes, "UTF-7");
 * byte[] again = Encodings.encode(text, "modified UTF-8");
 * Charset charset = Charset.forName("UTF-7-IMAP");       // with utfkit-spark.jar on the class path
 * }</pre>
 *
 * <p>Labels are compared in letters and digits alone, in any case. Needs the native library, except for UTF-8.
 */
public final class Encodings {
    /** What is in front of the name of a charset that the JDK has, too. */
    static final String PREFIX = "x-utfkit-";

    static final Cleaner CLEANER = Cleaner.create();

    /** The number of UTF-8, which is the first. */
    static final int UTF_8 = 0;

    /** A bound on the labels that are remembered: a program with more is trying them out. */
    private static final int MOST = 1000;

    /** The text of a short value, before its length is known. */
    private static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[1024]);

    private static final Map<String, Integer> NUMBERS = new ConcurrentHashMap<>();

    private Encodings() {}

    /** An encoding, as the native library describes it. */
    static final class Info {
        final String name;
        final int unit;
        final boolean containsAscii;
        final boolean hasState;
        final boolean isSingleByte;
        final boolean isDoubleByte;
        final List<String> labels;
        final int charsPerByte;
        final int bytesPerChar;

        Info(Packed packed) {
            name = packed.text();
            unit = (int) packed.number();
            containsAscii = packed.number() != 0;
            hasState = packed.number() != 0;
            isSingleByte = packed.number() != 0;
            isDoubleByte = packed.number() != 0;
            labels = List.of(packed.text().split(" "));
            charsPerByte = (int) packed.number();
            bytesPerChar = (int) packed.number();
        }

        /** Made when they are first used; two threads make the same. */
        private volatile Characters characters;

        Characters characters(int number) {
            if (characters == null) {
                characters = Characters.of(number);
            }
            return characters;
        }
    }

    /** Loaded when the first encoding other than UTF-8 is asked for. */
    static final class Table {
        static final List<Info> ALL = all();

        private Table() {}

        private static List<Info> all() {
            Native.need("an encoding other than UTF-8");
            List<Info> all = new ArrayList<>();
            for (Packed packed = new Packed(Native.encodings()); packed.hasMore(); ) {
                all.add(new Info(packed));
            }
            return Collections.unmodifiableList(all);
        }
    }

    /** The names of all encodings. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Info info : Table.ALL) {
            names.add(info.name);
        }
        return names;
    }

    /** The name of the encoding with a label, or null. */
    public static String find(String label) {
        int number = numberOrNone(label);
        return number < 0 ? null : number == UTF_8 ? "UTF-8" : Table.ALL.get(number).name;
    }

    /** The number of an encoding. */
    static int number(String label) {
        int number = numberOrNone(label);
        if (number < 0) {
            throw new IllegalArgumentException("unknown encoding: " + label);
        }
        return number;
    }

    private static int numberOrNone(String label) {
        Integer known = NUMBERS.get(label);
        if (known != null) {
            return known;
        }
        String plain = label.toLowerCase(Locale.ROOT);
        int number;
        if (plain.equals("utf-8") || plain.equals("utf8")) {
            number = UTF_8;
        } else {
            Native.need("an encoding other than UTF-8");
            String bare = plain.startsWith(PREFIX) ? label.substring(PREFIX.length())
                    : plain.startsWith("utfkit-") || plain.startsWith("utfkit_") ? label.substring(7) : label;
            number = Native.encodingForLabel(bare.getBytes(StandardCharsets.UTF_8));
        }
        if (NUMBERS.size() < MOST) {
            NUMBERS.put(label, number);
        }
        return number;
    }

    /**
     * The text, with U+FFFD for ill-formed sequences. A BOM is part of the text, except in UTF-16 and UTF-32, where it
     * selects the byte order.
     *
     * @throws IllegalArgumentException for an unknown encoding
     */
    public static String decode(byte[] bytes, String encoding) {
        return decode(bytes, number(encoding), false);
    }

    /**
     * The text.
     *
     * @throws IllFormedException with offset, length and kind of the first error
     * @throws IllegalArgumentException for an unknown encoding
     */
    public static String decodeStrict(byte[] bytes, String encoding) {
        return decode(bytes, number(encoding), true);
    }

    private static String decode(byte[] bytes, int number, boolean strict) {
        if (number == UTF_8) {
            return strict ? Utf8.decodeStrict(bytes) : Utf8.decode(bytes);
        }
        return Native.toText(bytes, 0, bytes.length, number, strict);
    }

    /**
     * The text in an encoding, with U+FFFD for what it lacks, or a question mark if it lacks that.
     *
     * @throws IllegalArgumentException for an unknown encoding
     */
    public static byte[] encode(String text, String encoding) {
        return encode(text, number(encoding), false);
    }

    /**
     * The text in an encoding.
     *
     * @throws IllFormedException for the first character that the encoding lacks, with its offset in bytes of UTF-16
     * @throws IllegalArgumentException for an unknown encoding
     */
    public static byte[] encodeStrict(String text, String encoding) {
        return encode(text, number(encoding), true);
    }

    private static byte[] encode(String text, int number, boolean strict) {
        if (number == UTF_8 && !strict) {
            return Utf8.encode(text);
        }
        Native.need("an encoding other than UTF-8");
        char[] chars = text.toCharArray();
        return Native.encode(chars, chars.length, number, strict);
    }

    /**
     * The text of {@code length} bytes from {@code offset} on as UTF-8, with U+FFFD for ill-formed sequences, or null
     * if it has the same bytes.
     *
     * @throws IllegalArgumentException for an unknown encoding
     */
    public static byte[] toUtf8(byte[] bytes, int offset, int length, String encoding) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int number = number(encoding);
        if (number == UTF_8) {
            return Utf8.makeValid(bytes, offset, length);
        }
        if (length <= Utf8.SHORT) {
            Info info = Table.ALL.get(number);
            int end = offset + length;
            if (info.containsAscii && PureJava.asciiEnd(bytes, offset, end) == end) {
                return null;
            }
            if (info.isSingleByte || info.isDoubleByte) {
                byte[] made = info.characters(number).toUtf8(bytes, offset, length);
                if (made != null) {
                    return made;
                }
            }
            byte[] scratch = SCRATCH.get();
            int written = Native.toUtf8Within(bytes, offset, length, number, scratch);
            if (written >= 0) {
                boolean isSame = Arrays.equals(scratch, 0, written, bytes, offset, end);
                return isSame ? null : Arrays.copyOf(scratch, written);
            }
        }
        return Native.toUtf8(bytes, offset, length, number);
    }

    /**
     * The text of bytes that are not UTF-8, from the encoding that is detected, as UTF-8; null if they are not text. If
     * no encoding fits, they are read as UTF-8 with U+FFFD for ill-formed sequences.
     */
    public static byte[] detectedToUtf8(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        Native.need("detection");
        return Native.detectedToUtf8(bytes, offset, length);
    }

    /**
     * The findings of {@code length} bytes from {@code offset} on in an encoding.
     *
     * @throws IllegalArgumentException for an unknown encoding
     */
    public static List<Finding> findings(byte[] bytes, int offset, int length, String encoding) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int number = number(encoding);
        Native.need("a list of findings");
        return Utf8.unpacked(Native.findings(bytes, offset, length, number));
    }

    /**
     * The charset of an encoding. It is the one of utfkit even where the JDK has one of this name; its name is then
     * {@code x-utfkit-} and that name, so that the two are not equal.
     *
     * @throws UnsupportedCharsetException for an unknown encoding
     */
    public static Charset charset(String label) {
        int number = numberOrNone(label);
        if (number < 0) {
            throw new UnsupportedCharsetException(label);
        }
        return Charsets.ALL.get(number);
    }

    /** The charsets in the order of the encodings. */
    static final class Charsets {
        static final List<EncodingCharset> ALL = all();

        private Charsets() {}

        private static List<EncodingCharset> all() {
            List<EncodingCharset> all = new ArrayList<>();
            Map<String, Integer> taken = new HashMap<>();
            for (int number = 0; number < Table.ALL.size(); number++) {
                all.add(EncodingCharset.of(number, Table.ALL.get(number), taken));
            }
            return Collections.unmodifiableList(all);
        }
    }

    /** The version of the library, its platform and its instruction set. */
    public static String version() {
        String library = Native.IS_THERE
                ? new String(Native.instructions(), StandardCharsets.UTF_8)
                : "without its native library: " + Native.REASON;
        return "utfkit " + NativeLibrary.version() + ", " + NativeLibrary.platform() + ", " + library;
    }

    /** True if the native library is loaded. */
    public static boolean isNative() {
        return Native.IS_THERE;
    }
}
