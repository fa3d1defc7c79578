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

    /** utfkit_decode from an encoding that is the same for all rows, and known. */
    public static UTF8String decode(byte[] raw, String encoding) {
        return orSame(Encodings.toUtf8(raw, 0, raw.length, encoding), raw);
    }

    /** utfkit_decode from an encoding that is the same for all rows, and known. */
    public static UTF8String decode(UTF8String text, String encoding) {
        byte[] bytes = bytes(text);
        return orSame(Encodings.toUtf8(bytes, offset(text, bytes), text.numBytes(), encoding), text);
    }

    /** utfkit_decode from the encoding that is detected. */
    public static UTF8String decodeDetected(byte[] raw) {
        return isValid(raw) ? UTF8String.fromBytes(raw) : detected(raw, 0, raw.length);
    }

    /** utfkit_decode from the encoding that is detected. */
    public static UTF8String decodeDetected(UTF8String text) {
        byte[] bytes = bytes(text);
        return isValid(text) ? text : detected(bytes, offset(text, bytes), text.numBytes());
    }

    /** utfkit_decode. */
    public static UTF8String decode(byte[] raw, UTF8String encoding) {
        String name = encoding.toString();
        return isAuto(name) ? decodeDetected(raw) : decode(raw, name);
    }

    /** utfkit_decode. */
    public static UTF8String decode(UTF8String text, UTF8String encoding) {
        String name = encoding.toString();
        return isAuto(name) ? decodeDetected(text) : decode(text, name);
    }

    /** True if the encoding is to be detected. */
    static boolean isAuto(String encoding) {
        return encoding.equalsIgnoreCase("auto");
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

    /** utfkit_repair with options. */
    public static UTF8String repair(byte[] raw, RepairOptions options) {
        return orSame(Utf8.repair(raw, 0, raw.length, options), raw);
    }

    /** utfkit_repair with options. */
    public static UTF8String repair(UTF8String text, RepairOptions options) {
        byte[] bytes = bytes(text);
        return orSame(Utf8.repair(bytes, offset(text, bytes), text.numBytes(), options), text);
    }

    /** utfkit_version, of the machine that evaluates it. */
    public static UTF8String version() {
        return UTF8String.fromString(Encodings.version());
    }
}
