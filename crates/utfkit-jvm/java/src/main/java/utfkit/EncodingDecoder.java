package utfkit;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/**
 * A decoder of any encoding, with its states.
 *
 * <p>An error is replaced here, and not by the superclass, which would pass the same bytes again if the destination has
 * no space for the replacement: the state is after them by then.
 */
final class EncodingDecoder extends CharsetDecoder {
    private final Coder coder;
    /** A replacement that found no space. */
    private String owed = "";

    EncodingDecoder(EncodingCharset charset) {
        super(charset, charset.info().unit == 1 ? 1.0f : 1.0f / charset.info().unit * 2, charset.info().charsPerByte);
        coder = new Coder(this, charset.number(), true);
    }

    @Override
    protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
        while (true) {
            if (!pay(out)) {
                return CoderResult.OVERFLOW;
            }
            // What does not fit would be copied for nothing.
            int length = (int) Math.min(in.remaining(), Math.min(Coder.PIECE, 32 + 4L * out.remaining()));
            if (length == 0) {
                return CoderResult.UNDERFLOW;
            }
            int start = in.position();
            in.get(coder.bytes(), 0, length);
            coder.decode(length, Math.min(out.remaining(), Coder.PIECE), false);
            in.position(start + coder.read());
            out.put(coder.chars(), 0, coder.written());
            CoderResult ended = coder.ended(in, malformedInputAction(), malformedInputAction());
            if (ended != null) {
                return ended;
            }
            if (coder.owes()) {
                owed = replacement();
            }
        }
    }

    /** Writes a replacement that is owed, or returns false if it does not fit. */
    private boolean pay(CharBuffer out) {
        if (out.remaining() < owed.length()) {
            return false;
        }
        out.put(owed);
        owed = "";
        return true;
    }

    @Override
    protected CoderResult implFlush(CharBuffer out) {
        if (!pay(out)) {
            return CoderResult.OVERFLOW;
        }
        coder.decode(0, Math.min(out.remaining(), Coder.PIECE), true);
        out.put(coder.chars(), 0, coder.written());
        if (coder.end() == Coder.OVERFLOW) {
            return CoderResult.OVERFLOW;
        }
        if (coder.end() != Coder.UNDERFLOW) {
            // An error that only the end shows, as base64 without its end.
            if (malformedInputAction() == CodingErrorAction.REPORT) {
                return CoderResult.malformedForLength(Math.max(1, coder.length()));
            }
            if (malformedInputAction() == CodingErrorAction.REPLACE) {
                owed = replacement();
                return pay(out) ? CoderResult.UNDERFLOW : CoderResult.OVERFLOW;
            }
        }
        return CoderResult.UNDERFLOW;
    }

    @Override
    protected void implReset() {
        owed = "";
        coder.reset();
    }
}
