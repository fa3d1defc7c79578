package utfkit;

import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An encoding as a charset. */
final class EncodingCharset extends Charset {
    private final int number;
    private final Encodings.Info info;

    private EncodingCharset(int number, Encodings.Info info, String name, String[] aliases) {
        super(name, aliases);
        this.number = number;
        this.info = info;
    }

    /** The charset of an encoding. {@code taken} has the names of those before it. */
    static EncodingCharset of(int number, Encodings.Info info, Map<String, Integer> taken) {
        boolean isKnown = isInJdk(info.name);
        List<String> names = new ArrayList<>();
        names.add(isKnown ? Encodings.PREFIX + info.name : info.name);
        if (!isKnown) {
            names.add(Encodings.PREFIX + info.name);
            for (String label : info.labels) {
                if (isLegal(label) && !isInJdk(label)) {
                    names.add(label);
                }
            }
        }
        List<String> mine = new ArrayList<>();
        for (String name : names) {
            if (isLegal(name) && taken.putIfAbsent(name.toLowerCase(Locale.ROOT), number) == null) {
                mine.add(name);
            }
        }
        return new EncodingCharset(number, info, mine.get(0), mine.subList(1, mine.size()).toArray(new String[0]));
    }

    /** True if the JDK itself has a charset of this name. */
    private static boolean isInJdk(String name) {
        EncodingsProvider.ASKING.set(true);
        try {
            return Charset.isSupported(name);
        } catch (IllegalCharsetNameException illegal) {
            return false;
        } finally {
            EncodingsProvider.ASKING.remove();
        }
    }

    private static boolean isLegal(String name) {
        return name.matches("[A-Za-z0-9][A-Za-z0-9.:_+-]*");
    }

    /** The number of the encoding. */
    int number() {
        return number;
    }

    /** What is known of the encoding. */
    Encodings.Info info() {
        return info;
    }

    @Override
    public boolean contains(Charset other) {
        return other.equals(this) || info.containsAscii && other.equals(StandardCharsets.US_ASCII);
    }

    @Override
    public CharsetDecoder newDecoder() {
        return new EncodingDecoder(this);
    }

    @Override
    public CharsetEncoder newEncoder() {
        return EncodingEncoder.of(this);
    }
}
