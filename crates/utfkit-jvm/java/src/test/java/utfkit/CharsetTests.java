package utfkit;

import static utfkit.Tests.equal;
import static utfkit.Tests.fails;
import static utfkit.Tests.hex;
import static utfkit.Tests.test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnmappableCharacterException;
import java.util.Arrays;
import java.util.Random;

/** The charsets of every encoding, with every cut. */
final class CharsetTests {
    /** Characters that few encodings lack all of. */
    private static final String SAMPLE =
            "Tea & + ~ \\ {x}\r\n\tcafé Grüße naïve żółć Привет мир Ελλάδα 日本語テキスト 汉字 漢字 한국어 שלום سلام ไทย 😀 𝒳 \uFEFFend";

    private static final int[] CUTS = {1, 2, 3, 5, 16, 33, 64, 5000};

    private CharsetTests() {}

    static void run() {
        for (String name : Encodings.names()) {
            Charset charset = Encodings.charset(name);
            if (System.getProperty("utfkit.trace") != null) {
                System.out.println(name);
            }
            String known = known(charset);
            test(name + ": cuts", () -> cuts(name, charset, known));
            test(name + ": a long text", () -> cuts(name, charset, known.repeat(20_000 / (known.length() + 1))));
            test(name + ": damage", () -> damage(name, charset));
            test(name + ": streams", () -> streams(charset, known));
            test(name + ": the JDK", () -> jdk(name, charset, known));
        }
        test("names", CharsetTests::names);
        test("errors", CharsetTests::errors);
        test("coders on two threads", CharsetTests::threads);
    }

    /** The part of the sample that a charset has. */
    private static String known(Charset charset) {
        StringBuilder known = new StringBuilder();
        SAMPLE.codePoints().forEach(c -> {
            String one = new String(Character.toChars(c));
            if (charset.newEncoder().canEncode(one)) {
                known.append(one);
            }
        });
        equal(known.length() >= 20, true, charset + " has " + known);
        return known.toString();
    }

    private static void cuts(String name, Charset charset, String text) {
        byte[] bytes = Encodings.encode(text, name);
        equal(Encodings.encodeStrict(text, name), bytes, name);
        String again = Encodings.decodeStrict(bytes, name);
        for (int in : CUTS) {
            for (int out : CUTS) {
                if (text.length() > 2000 && (in < 5000 || out < 5000 && out != 33)) {
                    continue;
                }
                equal(decoded(charset.newDecoder(), bytes, in, out), again, in + " in, " + out + " out");
                equal(encoded(charset.newEncoder(), text, in, out), bytes, in + " in, " + out + " out");
            }
        }
        equal(new String(bytes, charset), again, "new String");
        equal(text.getBytes(charset), bytes, "getBytes");
        equal(charset.decode(ByteBuffer.wrap(bytes)).toString(), again, "decode");
    }

    /** Decodes in pieces of {@code in} bytes into buffers of {@code out} units. */
    private static String decoded(CharsetDecoder decoder, byte[] bytes, int in, int out) {
        decoder.onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE).reset();
        StringBuilder text = new StringBuilder();
        // Two units are the least that a character needs.
        CharBuffer chars = CharBuffer.allocate(Math.max(out, 2));
        ByteBuffer source = (in & 1) == 0 ? ByteBuffer.allocateDirect(bytes.length + 64) : ByteBuffer.allocate(bytes.length + 64);
        source.limit(0);
        int at = 0;
        while (true) {
            // What is left is passed again, with more after it.
            source.compact();
            int more = Math.min(in, bytes.length - at);
            source.put(bytes, at, more).flip();
            at += more;
            boolean ends = at == bytes.length;
            CoderResult result;
            do {
                result = decoder.decode(source, chars, ends);
                text.append(chars.flip());
                chars.clear();
            } while (result.isOverflow());
            equal(result, CoderResult.UNDERFLOW, text);
            if (ends) {
                break;
            }
        }
        equal(source.hasRemaining(), false, "left");
        CoderResult result;
        do {
            result = decoder.flush(chars);
            text.append(chars.flip());
            chars.clear();
        } while (result.isOverflow());
        return text.toString();
    }

    private static byte[] encoded(CharsetEncoder encoder, String text, int in, int out) {
        encoder.onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE).reset();
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        // A character may be two units.
        ByteBuffer bytes = ByteBuffer.allocate(Math.max(out, 2 * (int) encoder.maxBytesPerChar()));
        CharBuffer source = CharBuffer.allocate(text.length() + 64);
        source.limit(0);
        int at = 0;
        while (true) {
            source.compact();
            int more = Math.min(in, text.length() - at);
            source.put(text, at, at + more).flip();
            at += more;
            boolean ends = at == text.length();
            CoderResult result;
            do {
                result = encoder.encode(source, bytes, ends);
                made.write(bytes.array(), 0, bytes.position());
                bytes.clear();
            } while (result.isOverflow());
            equal(result, CoderResult.UNDERFLOW, text);
            if (ends) {
                break;
            }
        }
        CoderResult result;
        do {
            result = encoder.flush(bytes);
            made.write(bytes.array(), 0, bytes.position());
            bytes.clear();
        } while (result.isOverflow());
        return made.toByteArray();
    }

    /** Bytes that are no text: the same text whatever the cuts, and that of the library, but for a cut at the end. */
    private static void damage(String name, Charset charset) {
        Random random = new Random(name.hashCode());
        byte[] clean = Encodings.encode(SAMPLE, name);
        for (int round = 0; round < 60; round++) {
            byte[] bytes;
            if (round % 2 == 0) {
                bytes = new byte[random.nextInt(80)];
                random.nextBytes(bytes);
            } else {
                bytes = Arrays.copyOf(clean, clean.length);
                for (int damage = random.nextInt(5); damage >= 0; damage--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
            }
            String expected = Encodings.decode(bytes, name);
            String first = null;
            for (int in : CUTS) {
                String found = decoded(charset.newDecoder(), bytes, in, 2 + round % 40);
                first = first == null ? found : first;
                equal(found, first, Tests.shown(bytes) + " in pieces of " + in);
            }
            // The JDK reports what is left at the end as one error, whatever is in it.
            int kept = Math.min(first.length(), expected.length()) - 8;
            if (!first.equals(expected) && kept > 0) {
                equal(first.substring(0, kept), expected.substring(0, kept), bytes);
            }
        }
        // Lone surrogates and what is lacking, at every cut.
        String odd = "a\uD800b€\uDC00😀z\u0001\u2028\uD83D";
        byte[] expected = encoded(charset.newEncoder(), odd, 5000, 5000);
        for (int in : CUTS) {
            equal(encoded(charset.newEncoder(), odd, in, in), expected, in + " in");
        }
    }

    private static void streams(Charset charset, String text) throws Exception {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        try (OutputStreamWriter writer = new OutputStreamWriter(made, charset)) {
            for (int at = 0; at < text.length(); at++) {
                writer.write(text.charAt(at));
            }
        }
        equal(made.toByteArray(), text.getBytes(charset), "writer");
        StringBuilder read = new StringBuilder();
        try (InputStreamReader reader = new InputStreamReader(new ByteArrayInputStream(made.toByteArray()), charset)) {
            for (int unit = reader.read(); unit >= 0; unit = reader.read()) {
                read.append((char) unit);
            }
        }
        equal(read.toString(), new String(made.toByteArray(), charset), "reader");
    }

    /** What the JDK expects of a charset, and its own charset of this name, where it has one. */
    private static void jdk(String name, Charset charset, String text) throws Exception {
        equal(Charset.forName(charset.name()).equals(charset), true, charset.name());
        for (String alias : charset.aliases()) {
            equal(Charset.forName(alias).equals(charset), true, alias);
        }
        CharsetEncoder encoder = charset.newEncoder();
        equal(encoder.isLegalReplacement(encoder.replacement()), true, "replacement");
        equal(encoder.canEncode('a'), true, "canEncode");
        equal(encoder.canEncode('\uD800'), false, "canEncode a surrogate");
        equal(charset.contains(charset), true, "contains itself");
        for (int length = 0; length < 5; length++) {
            String part = text.substring(0, text.offsetByCodePoints(0, Math.min(length, 4)));
            byte[] bytes = part.getBytes(charset);
            equal(bytes.length <= Math.ceil(part.length() * (double) encoder.maxBytesPerChar()), true, part);
            equal(new String(bytes, charset), part, "short");
        }
        if (charset.name().startsWith(Encodings.PREFIX)) {
            Charset theirs = Charset.forName(name);
            equal(theirs.equals(charset), false, "another charset");
        }
    }

    private static void names() throws Exception {
        // With the JDK's whole list; what it lacks is found by its own name.
        for (String name : new String[] {"UTF-7", "WTF-8", "UTF-7-IMAP"}) {
            equal(Charset.forName(name).getClass(), EncodingCharset.class, name);
        }
        equal(Charset.forName("windows-1252").getClass().getName().startsWith("sun."), true, "the JDK's");
        equal(Charset.forName("x-utfkit-windows-1252").getClass(), EncodingCharset.class, "ours");
        equal(Charset.availableCharsets().containsKey("UTF-7"), true, "available");
        equal(Charset.isSupported("x-utfkit-nonsense"), false, "nonsense");
        fails(java.nio.charset.UnsupportedCharsetException.class, () -> Encodings.charset("nonsense"));
    }

    private static void errors() throws Exception {
        CharsetDecoder decoder = Encodings.charset("shift_jis").newDecoder();
        java.nio.charset.MalformedInputException error = fails(
                java.nio.charset.MalformedInputException.class, () -> decoder.decode(ByteBuffer.wrap(hex("6181"))));
        equal(error.getInputLength(), 1, "length");
        CharsetEncoder encoder = Encodings.charset("cp1252").newEncoder();
        fails(UnmappableCharacterException.class, () -> encoder.encode(CharBuffer.wrap("日")));
        fails(CharacterCodingException.class, () -> encoder.encode(CharBuffer.wrap("\uD800")));
        fails(CharacterCodingException.class, () -> encoder.encode(CharBuffer.wrap("a\uD800")));
        // An error and a destination that has no space for its replacement.
        CharsetDecoder lossy = Encodings.charset("iso-2022-jp").newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE).replaceWith("#").onUnmappableCharacter(CodingErrorAction.REPLACE);
        ByteBuffer in = ByteBuffer.wrap(hex("61ff62"));
        CharBuffer small = CharBuffer.allocate(1);
        equal(lossy.decode(in, small, true), CoderResult.OVERFLOW, "no space");
        CharBuffer large = CharBuffer.allocate(9);
        equal(lossy.decode(in, large, true), CoderResult.UNDERFLOW, "space");
        equal(small.flip() + large.flip().toString(), "a#b", "text");
        // A replacement in the state of the output.
        CharsetEncoder japanese = Encodings.charset("iso-2022-jp").newEncoder()
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        ByteBuffer made = japanese.encode(CharBuffer.wrap("日ü本"));
        byte[] bytes = Arrays.copyOf(made.array(), made.limit());
        equal(Encodings.decodeStrict(bytes, "iso-2022-jp"), "日?本", bytes);
        equal(new String("日ü本".getBytes(Encodings.charset("hz")), StandardCharsets.US_ASCII).length() > 4, true, "HZ");
    }

    /** A coder is for one thread, and is only wrong if two use it. */
    private static void threads() throws Exception {
        CharsetDecoder shared = Encodings.charset("utf-7").newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
        Runnable work = () -> {
            for (int round = 0; round < 2000; round++) {
                try {
                    shared.decode(ByteBuffer.wrap(hex("2b414f6b2d61626364")), CharBuffer.allocate(20), round % 2 == 0);
                    shared.reset();
                } catch (IllegalStateException | java.nio.charset.CoderMalfunctionError expected) {
                    // The superclass notices.
                } catch (IllegalArgumentException | IndexOutOfBoundsException | java.nio.BufferOverflowException broken) {
                    // A report of the other thread.
                }
            }
        };
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
    }
}
