package utfkit;

/** An error as a person reads it, with the keys of {@code utfkit check --format jsonl}. */
public final class Finding {
    private final long offset;
    private final long line;
    private final long column;
    private final long codePoint;
    private final byte[] bytes;
    private final String kind;
    private final String message;

    Finding(Packed packed) {
        offset = packed.number();
        line = packed.number();
        column = packed.number();
        codePoint = packed.number();
        bytes = packed.bytes();
        kind = packed.text();
        message = packed.text();
    }

    /** The offset in bytes. */
    public long offset() {
        return offset;
    }

    /** The number of the line, from 1. */
    public long line() {
        return line;
    }

    /** The column in code points, from 1. */
    public long column() {
        return column;
    }

    /** The bytes of the sequence. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** The bytes in hexadecimal. */
    public String hex() {
        StringBuilder hex = new StringBuilder(2 * bytes.length);
        for (byte part : bytes) {
            hex.append(Character.forDigit(part >> 4 & 15, 16)).append(Character.forDigit(part & 15, 16));
        }
        return hex.toString();
    }

    /** The kind, such as {@code overlong}. */
    public String kind() {
        return kind;
    }

    /** The code point that an overlong or similar sequence encodes, as {@code U+002F}, or null. */
    public String codePoint() {
        return codePoint == -1 ? null : String.format("U+%04X", codePoint);
    }

    /** The message, which says what is wrong by which clause. */
    public String message() {
        return message;
    }

    @Override
    public String toString() {
        return line + ":" + column + ": " + message;
    }
}
