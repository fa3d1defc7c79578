package utfkit;

/** Text is ill-formed, or an encoding lacks one of its characters. */
public final class IllFormedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final long offset;
    private final int length;
    private final String kind;

    IllFormedException(Utf8Error error) {
        super(error.toString());
        offset = error.offset();
        length = error.length();
        kind = error.kind();
    }

    /** Called by the native library, with offset, length and kind. */
    IllFormedException(String packed) {
        this(unpacked(packed.split(" ", 3)));
    }

    private static Utf8Error unpacked(String[] parts) {
        return new Utf8Error(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), parts[2]);
    }

    /** The offset in bytes of the source, of UTF-16 if the source is a string. */
    public long offset() {
        return offset;
    }

    /** The length in bytes. */
    public int length() {
        return length;
    }

    /** The kind of the error, such as {@code truncated} or {@code unrepresentable}. */
    public String kind() {
        return kind;
    }
}
