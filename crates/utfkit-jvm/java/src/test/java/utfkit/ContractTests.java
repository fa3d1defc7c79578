package utfkit;

import static utfkit.Tests.equal;
import static utfkit.Tests.fails;
import static utfkit.Tests.test;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What {@code java.nio.charset} promises of coders, for every encoding, and what many threads and loaders see. */
final class ContractTests {
    private ContractTests() {}

    static void run() {
        for (String name : Encodings.names()) {
            Charset charset = Encodings.charset(name);
            test(name + ": reported errors", () -> reported(name, charset));
            test(name + ": left out errors", () -> ignored(name, charset));
            test(name + ": replacements", () -> replacements(name, charset));
            test(name + ": no space", () -> space(name, charset));
            test(name + ": states of a coder", () -> states(charset));
            test(name + ": a reader of few bytes", () -> reader(name, charset));
        }
        test("sixteen threads", ContractTests::threads);
        test("two class loaders", ContractTests::loaders);
        test("objects that nobody closes", ContractTests::forgotten);
        test("detection of little and much", ContractTests::sizes);
    }

    /** Text in an encoding with some bytes changed. */
    private static byte[] damaged(String name, Random random, int damage) {
        byte[] bytes = Encodings.encode("Tea é Ж 日本 ☃ 😀 ~{x}+ end & more", name);
        for (; damage > 0; damage--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static CharsetDecoder decoder(Charset charset, CodingErrorAction action) {
        return charset.newDecoder().onMalformedInput(action).onUnmappableCharacter(action);
    }

    /** A caller that skips what is reported gets the text that a decoder with replacements makes. */
    private static void reported(String name, Charset charset) throws Exception {
        Random random = new Random(name.hashCode());
        for (int round = 0; round < 40; round++) {
            byte[] bytes = damaged(name, random, round % 5);
            String expected = decoder(charset, CodingErrorAction.REPLACE).decode(ByteBuffer.wrap(bytes)).toString();
            CharsetDecoder decoder = decoder(charset, CodingErrorAction.REPORT);
            ByteBuffer in = ByteBuffer.wrap(bytes);
            CharBuffer out = CharBuffer.allocate(1000);
            for (boolean flushed = false; ; ) {
                CoderResult result = flushed ? decoder.flush(out) : decoder.decode(in, out, true);
                if (result.isError()) {
                    equal(result.length() >= 1, true, bytes);
                    if (!flushed) {
                        in.position(in.position() + result.length());
                    }
                    out.put("\uFFFD");
                    if (flushed) {
                        break;
                    }
                } else if (flushed) {
                    break;
                } else {
                    equal(result, CoderResult.UNDERFLOW, bytes);
                    equal(in.hasRemaining(), false, bytes);
                    flushed = true;
                }
            }
            equal(out.flip().toString(), expected, bytes);
            // What throws, throws at an error alone.
            boolean isClean = !expected.contains("\uFFFD");
            try {
                String strict = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
                equal(strict, expected, bytes);
            } catch (CharacterCodingException error) {
                equal(isClean, false, bytes);
            }
        }
    }

    private static void ignored(String name, Charset charset) throws Exception {
        Random random = new Random(name.hashCode());
        for (int round = 0; round < 40; round++) {
            byte[] bytes = damaged(name, random, round % 5);
            String replaced = decoder(charset, CodingErrorAction.REPLACE).replaceWith("\u0001").decode(ByteBuffer.wrap(bytes)).toString();
            if (Encodings.decode(bytes, name).contains("\u0001")) {
                continue;
            }
            String left = decoder(charset, CodingErrorAction.IGNORE).decode(ByteBuffer.wrap(bytes)).toString();
            equal(left, replaced.replace("\u0001", ""), bytes);
        }
    }

    private static void replacements(String name, Charset charset) throws Exception {
        CharsetDecoder decoder = decoder(charset, CodingErrorAction.REPLACE);
        equal(decoder.replacement(), "\uFFFD", "the default");
        fails(IllegalArgumentException.class, () -> decoder.replaceWith(""));
        Random random = new Random(name.hashCode());
        StringBuilder longest = new StringBuilder();
        while (longest.length() < (int) decoder.maxCharsPerByte()) {
            longest.append('#');
            decoder.replaceWith(longest.toString());
            for (int round = 0; round < 10; round++) {
                byte[] bytes = damaged(name, random, 3);
                String found = decoder.decode(ByteBuffer.wrap(bytes)).toString();
                String once = decoder(charset, CodingErrorAction.REPLACE).replaceWith("\u0001").decode(ByteBuffer.wrap(bytes)).toString();
                if (!Encodings.decode(bytes, name).contains("\u0001")) {
                    equal(found, once.replace("\u0001", longest), bytes);
                }
            }
        }
        CharsetEncoder encoder = charset.newEncoder().onUnmappableCharacter(CodingErrorAction.REPLACE)
                .onMalformedInput(CodingErrorAction.REPLACE);
        fails(IllegalArgumentException.class, () -> encoder.replaceWith(new byte[0]));
        byte[] own = Encodings.encode("x", name);
        if (own.length <= encoder.maxBytesPerChar() && encoder.isLegalReplacement(own)) {
            encoder.replaceWith(own);
            ByteBuffer made = encoder.encode(CharBuffer.wrap("a\uD800b"));
            String again = Encodings.decode(Arrays.copyOf(made.array(), made.limit()), name);
            // What has surrogates does not replace them.
            equal(again.equals("axb") || again.equals("a\uD800b"), true, again);
        }
    }

    /** Every size of the destination, with one more each time: the same text, and OVERFLOW until it fits. */
    private static void space(String name, Charset charset) throws Exception {
        byte[] bytes = damaged(name, new Random(5), 2);
        String text = decoder(charset, CodingErrorAction.REPLACE).decode(ByteBuffer.wrap(bytes)).toString();
        for (int size = 0; size <= text.length(); size++) {
            CharsetDecoder decoder = decoder(charset, CodingErrorAction.REPLACE);
            ByteBuffer in = ByteBuffer.wrap(bytes);
            CharBuffer out = CharBuffer.allocate(size);
            CoderResult result = decoder.decode(in, out, true);
            if (result.isUnderflow()) {
                result = decoder.flush(out);
            }
            equal(result.isOverflow(), size < text.length(), size + " of " + text.length());
            equal(text.startsWith(out.flip().toString()), true, size);
        }
        ByteBuffer all = charset.newEncoder().onUnmappableCharacter(CodingErrorAction.REPLACE).encode(CharBuffer.wrap("Tea é ☃ 😀"));
        byte[] whole = Arrays.copyOf(all.array(), all.limit());
        for (int size = 0; size <= whole.length; size++) {
            CharsetEncoder encoder = charset.newEncoder().onUnmappableCharacter(CodingErrorAction.REPLACE);
            ByteBuffer out = ByteBuffer.allocate(size);
            CoderResult result = encoder.encode(CharBuffer.wrap("Tea é ☃ 😀"), out, true);
            if (result.isUnderflow()) {
                result = encoder.flush(out);
            }
            equal(result.isOverflow(), size < whole.length, size + " of " + whole.length);
            equal(Arrays.copyOf(out.array(), out.position()), Arrays.copyOf(whole, out.position()), size);
        }
    }

    private static void states(Charset charset) throws Exception {
        CharsetDecoder decoder = charset.newDecoder();
        equal(decoder.averageCharsPerByte() > 0 && decoder.maxCharsPerByte() >= decoder.averageCharsPerByte(), true, "chars");
        CharsetEncoder encoder = charset.newEncoder();
        equal(encoder.averageBytesPerChar() > 0 && encoder.maxBytesPerChar() >= encoder.averageBytesPerChar(), true, "bytes");
        fails(IllegalStateException.class, () -> charset.newDecoder().flush(CharBuffer.allocate(9)));
        byte[] bytes = "ab".getBytes(charset);
        decoder.decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(9), true);
        decoder.flush(CharBuffer.allocate(9));
        equal(decoder.flush(CharBuffer.allocate(9)), CoderResult.UNDERFLOW, "a second flush");
        fails(IllegalStateException.class, () -> decoder.decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(9), true));
        // After reset, nothing is left of what was there: half a character.
        decoder.reset();
        decoder.decode(ByteBuffer.wrap(bytes, 0, 1), CharBuffer.allocate(9), false);
        decoder.reset();
        equal(decoder.decode(ByteBuffer.wrap(bytes)).toString(), "ab", "after reset");
        CharBuffer read = CharBuffer.wrap("ab").asReadOnlyBuffer();
        ByteBuffer made = charset.newEncoder().encode(read);
        equal(charset.decode(made.asReadOnlyBuffer()).toString(), "ab", "buffers that are read-only");
        equal(encoder.canEncode(""), true, "nothing");
        equal(encoder.canEncode("ab"), true, "after canEncode of nothing");
        equal(charset.newDecoder().decode(ByteBuffer.allocate(0)).toString(), "", "no bytes");
    }

    /** A stream that hands out a few bytes at a time, as a socket does. */
    private static void reader(String name, Charset charset) throws Exception {
        byte[] bytes = Encodings.encode("Tea é Ж 日本 ☃ 😀 ~{x}+ end".repeat(20), name);
        String expected = new String(bytes, charset);
        for (int most = 1; most <= 7; most += 2) {
            int few = most;
            InputStream stream = new FilterInputStream(new ByteArrayInputStream(bytes)) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    return super.read(into, offset, Math.min(length, few));
                }
            };
            StringBuilder text = new StringBuilder();
            try (Reader reader = new InputStreamReader(stream, charset)) {
                char[] units = new char[13];
                for (int count = reader.read(units); count >= 0; count = reader.read(units)) {
                    text.append(units, 0, count);
                }
            }
            equal(text.toString(), expected, name + " in " + most);
        }
    }

    private static void threads() throws Exception {
        byte[] bytes = Encodings.encode("日本語テキスト and more ", "shift_jis");
        ExecutorService pool = Executors.newFixedThreadPool(16);
        List<Future<Boolean>> all = new ArrayList<>();
        for (int thread = 0; thread < 16; thread++) {
            String name = Encodings.names().get(thread * 5);
            all.add(pool.submit(() -> {
                for (int round = 0; round < 200; round++) {
                    equal(Encodings.decode(bytes, "shift_jis"), "日本語テキスト and more ", name);
                    equal(new String("tea".getBytes(Encodings.charset(name)), Encodings.charset(name)), "tea", name);
                    Utf8.makeValid(bytes);
                    equal(Detector.detect(bytes).encoding() != null, true, name);
                }
                return true;
            }));
        }
        for (Future<Boolean> each : all) {
            equal(each.get(), true, "thread");
        }
        pool.shutdown();
    }

    /** As in a server of applications: each loader has its own classes and its own copy of the library. */
    private static void loaders() throws Exception {
        URL jar = Utf8.class.getProtectionDomain().getCodeSource().getLocation();
        for (int round = 0; round < 3; round++) {
            try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader())) {
                Class<?> encodings = Class.forName("utfkit.Encodings", true, loader);
                equal(encodings == Encodings.class, false, "another class");
                equal(encodings.getMethod("isNative").invoke(null), true, "with the library");
                Object text = encodings.getMethod("decode", byte[].class, String.class).invoke(null, new byte[] {(byte) 0xE9}, "cp1252");
                equal(text, "é", "text");
            }
        }
    }

    private static void forgotten() throws Exception {
        for (int round = 0; round < 200_000; round++) {
            new Detector().feed(new byte[] {'a'}, 0, 1);
            if (round % 10 == 0) {
                Encodings.charset("utf-7").newDecoder();
            }
        }
        System.gc();
        Detector detector = new Detector();
        detector.close();
        detector.close();
        fails(IllegalStateException.class, () -> detector.feed(new byte[1], 0, 1));
        fails(IllegalStateException.class, detector::finish);
    }

    private static void sizes() {
        equal(Detector.detect(new byte[0]).toString().isEmpty(), false, "nothing");
        for (int value = 0; value < 256; value++) {
            Detector.detect(new byte[] {(byte) value});
        }
        byte[] large = new byte[100 << 20];
        Arrays.fill(large, (byte) 'a');
        equal(Detector.detect(large).encoding(), Detector.detect(new byte[] {'a'}).encoding(), "US-ASCII");
        large[large.length - 1] = (byte) 0xE9;
        equal(Detector.detect(large).encoding() != null, true, "windows-1252 or so");
    }
}
