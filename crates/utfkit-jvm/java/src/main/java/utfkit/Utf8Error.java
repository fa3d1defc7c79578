package utfkit;

import java.util.Objects;

/** An ill-formed sequence: its place, its length and its kind. */
public final class Utf8Error {
    private final long offset;
    private final int length;
    private final String kind;

    Utf8Error(long offset, int length, String kind) {
        this.offset = offset;
        this.length = length;
        this.kind = kind;
    }

    /** The offset in bytes from the start of the value. */
    public long offset() {
        return offset;
    }

    /** The length in bytes. */
    public int length() {
        return length;
    }

    /** The kind, such as {@code missing-continuation}, {@code overlong} or {@code truncated}. */
    public String kind() {
        return kind;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Utf8Error)) {
            return false;
        }
        Utf8Error error = (Utf8Error) other;
        return offset == error.offset && length == error.length && kind.equals(error.kind);
    }

    @Override
    public int hashCode() {
        return Objects.hash(offset, length, kind);
    }

    @Override
    public String toString() {
        return kind + " at offset " + offset;
    }
}
