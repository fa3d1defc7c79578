package utfkit;

import java.nio.charset.Charset;
import java.nio.charset.spi.CharsetProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Makes {@link Charset#forName} know the encodings that the JDK lacks, and the others with {@code x-utfkit-} in front.
 *
 * <p>The JDK asks its own charsets first, so none of these is replaced.
 */
public final class EncodingsProvider extends CharsetProvider {
    /** True while the JDK is asked whether it has a charset, which must not lead back here. */
    static final ThreadLocal<Boolean> ASKING = new ThreadLocal<>();

    /** For the service loader. */
    public EncodingsProvider() {}

    @Override
    public Charset charsetForName(String name) {
        if (ASKING.get() != null || !Native.IS_THERE) {
            return null;
        }
        return Encodings.find(name) == null ? null : Encodings.charset(name);
    }

    @Override
    public Iterator<Charset> charsets() {
        if (ASKING.get() != null || !Native.IS_THERE) {
            return Collections.emptyIterator();
        }
        List<Charset> all = new ArrayList<>(Encodings.Charsets.ALL);
        return all.iterator();
    }
}
