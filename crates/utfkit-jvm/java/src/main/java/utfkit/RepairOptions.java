package utfkit;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;

/** What {@link Utf8#repair} changes. By default, U+FFFD is written for ill-formed sequences. */
public final class RepairOptions implements Serializable {
    private static final long serialVersionUID = 1;

    /** U+FFFD for ill-formed sequences. */
    public static final RepairOptions DEFAULT = new RepairOptions(null, 0);

    private static final int UNDOUBLE = 1;
    private static final int REINTERPRET = 2;

    private final String fallback;
    private final int number;
    private final int flags;

    private RepairOptions(String fallback, int flags) {
        this.fallback = fallback;
        this.flags = flags;
        if (fallback == null) {
            number = -1;
        } else {
            number = Encodings.number(fallback);
            if (!Native.isFallback(number)) {
                throw new IllegalArgumentException(
                        fallback + " cannot be a fallback: that is an encoding of one byte per character");
            }
        }
    }

    /**
     * Reads ill-formed bytes in this encoding, which has one byte per character; null is U+FFFD.
     *
     * @throws IllegalArgumentException for an unknown encoding, or one that cannot be a fallback
     */
    public RepairOptions fallback(String encoding) {
        return new RepairOptions(encoding, flags);
    }

    /** Reads overlong forms and surrogate pairs as the characters that they spell. */
    public RepairOptions reinterpret(boolean on) {
        return new RepairOptions(fallback, on ? flags | REINTERPRET : flags & ~REINTERPRET);
    }

    /** Undoes UTF-8 that was encoded twice. */
    public RepairOptions undouble(boolean on) {
        return new RepairOptions(fallback, on ? flags | UNDOUBLE : flags & ~UNDOUBLE);
    }

    /**
     * Options by their names: {@code fallback} with an encoding, {@code reinterpret} and {@code undouble} with
     * {@code true} or {@code false}.
     *
     * @throws IllegalArgumentException for an unknown name or value
     */
    public static RepairOptions of(Map<String, String> options) {
        RepairOptions chosen = DEFAULT;
        for (Map.Entry<String, String> option : options.entrySet()) {
            String value = option.getValue();
            switch (option.getKey()) {
                case "fallback":
                    chosen = chosen.fallback(value);
                    break;
                case "reinterpret":
                    chosen = chosen.reinterpret(isTrue(option.getKey(), value));
                    break;
                case "undouble":
                    chosen = chosen.undouble(isTrue(option.getKey(), value));
                    break;
                default:
                    throw new IllegalArgumentException("there is no option '" + option.getKey()
                            + "': there are 'fallback', 'reinterpret' and 'undouble'");
            }
        }
        return chosen;
    }

    private static boolean isTrue(String name, String value) {
        if ("true".equalsIgnoreCase(value)) {
            return true;
        }
        if ("false".equalsIgnoreCase(value)) {
            return false;
        }
        throw new IllegalArgumentException("option '" + name + "' is 'true' or 'false', not '" + value + "'");
    }

    /** The name of the encoding of ill-formed bytes, or null. */
    public String fallback() {
        return fallback;
    }

    boolean isDefault() {
        return number < 0 && flags == 0;
    }

    int number() {
        return number;
    }

    int flags() {
        return flags;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof RepairOptions)) {
            return false;
        }
        RepairOptions options = (RepairOptions) other;
        return number == options.number && flags == options.flags;
    }

    @Override
    public int hashCode() {
        return Objects.hash(number, flags);
    }
}
