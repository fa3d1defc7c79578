package utfkit.spark;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import utfkit.Detection;
import utfkit.Detector;
import utfkit.Encodings;
import utfkit.Finding;
import utfkit.RepairOptions;
import utfkit.Utf8;
import utfkit.Utf8Error;

/**
 * The functions on one value, which the code that Spark generates calls: for binary values, and for strings, whose
 * bytes need not be UTF-8. No argument is null.
 *
 * <p>A value that does not change is returned as it is.
 */
public final class Functions {
    private static final UTF8String AUTO = UTF8String.fromString("auto");

    /** Names of kinds, encodings and certainties, which are few. */
    private static final Map<String, UTF8String> WORDS = new ConcurrentHashMap<>();

    private Functions() {}

    /** The array that holds a string's bytes, or a copy of them if they are elsewhere. */
    private static byte[] bytes(UTF8String text) {
        Object base = text.getBaseObject();
        return base instanceof byte[] ? (byte[]) base : text.getBytes();
    }

    /** The place of a string's bytes in that array. */
    private static int offset(UTF8String text, byte[] bytes) {
        return text.getBaseObject() == bytes ? (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET) : 0;
    }

    private static UTF8String word(String word) {
        return word == null ? null : WORDS.computeIfAbsent(word, UTF8String::fromString);
    }

    /** The new bytes, or the string if there are none. */
    private static UTF8String orSame(byte[] made, UTF8String text) {
        return made == null ? text : UTF8String.fromBytes(made);
    }

    private static UTF8String orSame(byte[] made, byte[] raw) {
        return UTF8String.fromBytes(made == null ? raw : made);
    }

    /** utfkit_is_valid. */
    public static boolean isValid(byte[] raw) {
        return Utf8.isValid(raw, 0, raw.length);
    }

    /** utfkit_is_valid. */
    public static boolean isValid(UTF8String text) {
        byte[] bytes = bytes(text);
        return Utf8.isValid(bytes, offset(text, bytes), text.numBytes());
    }

    /** utfkit_make_valid. */
    public static UTF8String makeValid(byte[] raw) {
        return orSame(Utf8.makeValid(raw, 0, raw.length), raw);
    }

    /** utfkit_make_valid. */
    public static UTF8String makeValid(UTF8String text) {
        byte[] bytes = bytes(text);
        return orSame(Utf8.makeValid(bytes, offset(text, bytes), text.numBytes()), text);
    }

    /** utfkit_validate. */
    public static UTF8String validate(byte[] raw) {
        Utf8.validate(raw, 0, raw.length);
        return UTF8String.fromBytes(raw);
    }

    /** utfkit_validate. */
    public static UTF8String validate(UTF8String text) {
        byte[] bytes = bytes(text);
        Utf8.validate(bytes, offset(text, bytes), text.numBytes());
        return text;
    }

    /** utfkit_try_validate. */
    public static UTF8String tryValidate(byte[] raw) {
        return isValid(raw) ? UTF8String.fromBytes(raw) : null;
    }

    /** utfkit_try_validate. */
    public static UTF8String tryValidate(UTF8String text) {
        return isValid(text) ? text : null;
    }

    /** utfkit_first_error. */
    public static InternalRow firstError(byte[] raw) {
        return row(Utf8.firstError(raw, 0, raw.length));
    }

    /** utfkit_first_error. */
    public static InternalRow firstError(UTF8String text) {
        byte[] bytes = bytes(text);
        return row(Utf8.firstError(bytes, offset(text, bytes), text.numBytes()));
    }

    private static InternalRow row(Utf8Error error) {
        return error == null
                ? null
                : new GenericInternalRow(new Object[] {error.offset(), (long) error.length(), word(error.kind())});
    }

    /** utfkit_check. */
    public static ArrayData check(byte[] raw) {
        return rows(Utf8.findings(raw, 0, raw.length));
    }

    /** utfkit_check. */
    public static ArrayData check(UTF8String text) {
        byte[] bytes = bytes(text);
        return rows(Utf8.findings(bytes, offset(text, bytes), text.numBytes()));
    }

    private static ArrayData rows(List<Finding> findings) {
        Object[] rows = new Object[findings.size()];
        for (int at = 0; at < rows.length; at++) {
            Finding found = findings.get(at);
            rows[at] = new GenericInternalRow(new Object[] {
                found.offset(),
                (long) found.length(),
                found.line(),
                found.column(),
                UTF8String.fromString(found.hex()),
                word(found.kind()),
                found.codePoint() == null ? null : UTF8String.fromString(found.codePoint()),
                UTF8String.fromString(found.message()),
            });
        }
        return new GenericArrayData(rows);
    }

    /** The name of an encoding in the forms that Spark and Java have. */
    private static final class Name {
        final UTF8String spark;
        final String java;
        final boolean isAuto;

        Name(UTF8String name) {
            // The next row may be at the same place.
            spark = name.copy();
            java = name.toString();
            isAuto = spark.toLowerCase().equals(AUTO);
        }
    }

    /** The last name: most columns have one. */
    private static volatile Name last = new Name(AUTO);

    private static Name named(UTF8String encoding) {
        Name name = last;
        if (!encoding.equals(name.spark)) {
            name = new Name(encoding);
            last = name;
        }
        return name;
    }

    /** utfkit_decode. */
    public static UTF8String decode(byte[] raw, UTF8String encoding) {
        Name name = named(encoding);
        if (!name.isAuto) {
            return orSame(Encodings.toUtf8(raw, 0, raw.length, name.java), raw);
        }
        return isValid(raw) ? UTF8String.fromBytes(raw) : detected(raw, 0, raw.length);
    }

    /** utfkit_decode. */
    public static UTF8String decode(UTF8String text, UTF8String encoding) {
        Name name = named(encoding);
        byte[] bytes = bytes(text);
        int offset = offset(text, bytes);
        if (!name.isAuto) {
            return orSame(Encodings.toUtf8(bytes, offset, text.numBytes(), name.java), text);
        }
        return isValid(text) ? text : detected(bytes, offset, text.numBytes());
    }

    /** Null for what is not text. */
    private static UTF8String detected(byte[] bytes, int offset, int length) {
        byte[] made = Encodings.detectedToUtf8(bytes, offset, length);
        return made == null ? null : UTF8String.fromBytes(made);
    }

    /** utfkit_detect. */
    public static InternalRow detect(byte[] raw) {
        return row(Detector.detect(raw, 0, raw.length));
    }

    /** utfkit_detect. */
    public static InternalRow detect(UTF8String text) {
        byte[] bytes = bytes(text);
        return row(Detector.detect(bytes, offset(text, bytes), text.numBytes()));
    }

    private static InternalRow row(Detection found) {
        return new GenericInternalRow(new Object[] {word(found.encoding()), word(found.certainty())});
    }

    /** Options as {@link Expressions} writes them, which are few in a job. */
    private static final Map<UTF8String, RepairOptions> OPTIONS = new ConcurrentHashMap<>();

    private static RepairOptions options(UTF8String packed) {
        RepairOptions known = OPTIONS.get(packed);
        if (known == null) {
            known = RepairOptions.of(Expressions.unpacked(packed.toString()));
            OPTIONS.put(packed.copy(), known);
        }
        return known;
    }

    /** utfkit_repair. */
    public static UTF8String repair(byte[] raw, UTF8String options) {
        return orSame(Utf8.repair(raw, 0, raw.length, options(options)), raw);
    }

    /** utfkit_repair. */
    public static UTF8String repair(UTF8String text, UTF8String options) {
        byte[] bytes = bytes(text);
        return orSame(Utf8.repair(bytes, offset(text, bytes), text.numBytes(), options(options)), text);
    }

    /** utfkit_version, of the machine that evaluates it. */
    public static UTF8String version() {
        return UTF8String.fromString(Encodings.version());
    }

    /** Fails for an encoding or options that are unknown. */
    static void check(String encoding) {
        if (!encoding.equalsIgnoreCase("auto") && Encodings.find(encoding) == null) {
            throw new IllegalArgumentException("unknown encoding: " + encoding);
        }
    }
}
