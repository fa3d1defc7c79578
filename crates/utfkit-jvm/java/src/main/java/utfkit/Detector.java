package utfkit;

import java.lang.ref.Cleaner;
import java.util.Objects;

/**
 * Detects the encoding of bytes. For a stream, {@link #feed} it in pieces, then {@link #finish}.
 *
 * <pre>{@code
 * Detection found = Detector.detect(bytes);
 * String text = Encodings.decode(bytes, found.encoding());
 * }</pre>
 *
 * <p>A guess says so: see {@link Detection#certainty}. Needs the native library.
 */
public final class Detector implements AutoCloseable {
    private final long handle;
    private final Cleaner.Cleanable cleanable;

    /** A detector at the beginning of a stream. */
    public Detector() {
        Native.need("detection");
        long made = Native.newDetector();
        handle = made;
        cleanable = Encodings.CLEANER.register(this, () -> Native.freeDetector(made));
    }

    /** Detects the encoding of a whole text. */
    public static Detection detect(byte[] bytes) {
        return detect(bytes, 0, bytes.length);
    }

    /** Detects the encoding of a whole text. */
    public static Detection detect(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        Native.need("detection");
        return new Detection(new Packed(Native.detect(bytes, offset, length)));
    }

    /** Takes the next bytes of the stream. */
    public void feed(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        Native.feedDetector(handle, bytes, offset, length);
    }

    /** Ends the stream. The detector cannot be used again. */
    public Detection finish() {
        return new Detection(new Packed(Native.finishDetector(handle)));
    }

    /** Releases the memory, which is otherwise released some time after the last use. */
    @Override
    public void close() {
        cleanable.clean();
    }
}
