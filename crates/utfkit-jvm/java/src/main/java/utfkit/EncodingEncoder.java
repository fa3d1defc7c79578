package utfkit;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;

/**
 * An encoder of any encoding, with its states.
 *
 * <p>A replacement is encoded in the state that the output is in: the superclass would write the same bytes anywhere.
 */
final class EncodingEncoder extends CharsetEncoder {
    private final EncodingCharset charset;
    private final Coder coder;
    /** The text of a replacement that is not encoded yet. */
    private String owed = "";
    /** What is made of the replacement. */
    private byte[] known;
    private String text;

    static EncodingEncoder of(EncodingCharset charset) {
        Encodings.Info info = charset.info();
        byte[] question = Native.encode(new char[] {'?'}, 1, charset.number(), false);
        return new EncodingEncoder(charset, Math.min(2.0f, info.bytesPerChar), info.bytesPerChar, question);
    }

    private EncodingEncoder(EncodingCharset charset, float average, float most, byte[] replacement) {
        super(charset, average, most, replacement);
        this.charset = charset;
        coder = new Coder(this, charset.number(), false);
    }

    @Override
    public boolean isLegalReplacement(byte[] replacement) {
        // The superclass calls this before there is a charset here.
        EncodingCharset charset = (EncodingCharset) charset();
        try {
            Native.toText(replacement, 0, replacement.length, charset.number(), true);
            return true;
        } catch (IllFormedException illFormed) {
            return false;
        }
    }

    @Override
    protected CoderResult encodeLoop(CharBuffer in, ByteBuffer out) {
        while (true) {
            if (!pay(out)) {
                return CoderResult.OVERFLOW;
            }
            // What does not fit would be copied for nothing.
            int length = (int) Math.min(in.remaining(), Math.min(Coder.PIECE, 32L + out.remaining()));
            if (length == 0) {
                return CoderResult.UNDERFLOW;
            }
            int start = in.position();
            in.get(coder.chars(), 0, length);
            coder.encode(length, Math.min(out.remaining(), Coder.PIECE), false);
            in.position(start + coder.read());
            out.put(coder.bytes(), 0, coder.written());
            CoderResult ended = coder.ended(in, malformedInputAction(), unmappableCharacterAction());
            if (ended != null) {
                return ended;
            }
            if (coder.owes()) {
                owed = replacementText();
            }
        }
    }

    /** Encodes a replacement that is owed, or returns false if it does not fit. */
    private boolean pay(ByteBuffer out) {
        while (!owed.isEmpty()) {
            owed.getChars(0, owed.length(), coder.chars(), 0);
            coder.encode(owed.length(), Math.min(out.remaining(), Coder.PIECE), false);
            out.put(coder.bytes(), 0, coder.written());
            owed = owed.substring(coder.read());
            if (coder.end() == Coder.OVERFLOW) {
                return false;
            }
            if (coder.read() == 0) {
                // A replacement that is not text of this encoding: isLegalReplacement does not let it be.
                owed = "";
            }
        }
        return true;
    }

    private String replacementText() {
        byte[] now = replacement();
        if (known != now) {
            text = Native.toText(now, 0, now.length, charset.number(), false);
            known = now;
        }
        return text;
    }

    @Override
    protected CoderResult implFlush(ByteBuffer out) {
        if (!pay(out)) {
            return CoderResult.OVERFLOW;
        }
        coder.encode(0, Math.min(out.remaining(), Coder.PIECE), true);
        out.put(coder.bytes(), 0, coder.written());
        if (coder.end() == Coder.OVERFLOW) {
            return CoderResult.OVERFLOW;
        }
        return CoderResult.UNDERFLOW;
    }

    @Override
    protected void implReset() {
        owed = "";
        coder.reset();
    }

    @Override
    public boolean canEncode(char unit) {
        return !Character.isSurrogate(unit) && canEncode(String.valueOf(unit));
    }

    @Override
    public boolean canEncode(CharSequence text) {
        // The superclass would use this encoder, which has a state.
        try {
            charset.newEncoder().encode(CharBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException lacking) {
            return false;
        }
    }
}
