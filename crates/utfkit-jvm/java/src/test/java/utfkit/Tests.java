package utfkit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Counts what passes and what fails: {@code java -Dutfkit.only=NAME -cp ... utfkit.Tests [PART]}. There is no JUnit
 * where the registry of Maven cannot be reached.
 */
public final class Tests {
    /** Tests with this in their name. */
    private static final String ONLY = System.getProperty("utfkit.only", "");

    private static int passed;
    private static int failed;

    private Tests() {}

    /** A test, which fails by throwing. */
    interface Test {
        void run() throws Exception;
    }

    static void test(String name, Test test) {
        if (!name.contains(ONLY)) {
            return;
        }
        long start = System.nanoTime();
        try {
            test.run();
            passed++;
            if (System.nanoTime() - start > 2_000_000_000L) {
                System.out.printf("%s: %.0f s%n", name, (System.nanoTime() - start) / 1e9);
            }
        } catch (Throwable problem) {
            failed++;
            System.out.println("FAILED: " + name + ": " + problem);
            problem.printStackTrace(System.out);
        }
    }

    static void equal(Object found, Object expected, Object about) {
        boolean same = found instanceof byte[] && expected instanceof byte[]
                ? Arrays.equals((byte[]) found, (byte[]) expected)
                : found == null ? expected == null : found.equals(expected);
        if (!same) {
            throw new AssertionError(shown(about) + ": " + shown(found) + ", and not " + shown(expected));
        }
    }

    static String shown(Object value) {
        if (!(value instanceof byte[])) {
            return String.valueOf(value);
        }
        StringBuilder hex = new StringBuilder();
        for (byte part : (byte[]) value) {
            hex.append(String.format("%02x", part));
            if (hex.length() > 200) {
                return hex + "...";
            }
        }
        return hex.toString();
    }

    static <T extends Throwable> T fails(Class<T> type, Test test) {
        try {
            test.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError("another exception", thrown);
        }
        throw new AssertionError("no exception");
    }

    static byte[] hex(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) Integer.parseInt(hex.substring(2 * at, 2 * at + 2), 16);
        }
        return bytes;
    }

    public static void main(String[] arguments) throws Exception {
        String part = arguments.length == 0 ? "all" : arguments[0];
        switch (part) {
            case "version":
                System.out.println(Encodings.version());
                return;
            case "soak":
                Soak.run(Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
                return;
            case "vectors":
                Vectors.run(arguments[1]);
                break;
            case "pure":
                withoutLibrary();
                utf8();
                break;
            default:
                equal(Native.REASON, null, "the native library");
                utf8();
                both();
                library();
                CharsetTests.run();
                ContractTests.run();
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    /** Every value of up to four bytes at which a rule of UTF-8 changes. */
    static List<byte[]> shortValues() {
        int[] ends = {
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
            0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF
        };
        List<byte[]> values = new ArrayList<>();
        values.add(new byte[0]);
        int from = 0;
        for (int length = 1; length <= 4; length++) {
            int until = values.size();
            for (int at = from; at < until; at++) {
                for (int end : ends) {
                    // The longest begin with a lead alone.
                    if (length < 4 || (values.get(at)[0] & 0xFF) >= 0xC0) {
                        byte[] longer = Arrays.copyOf(values.get(at), length);
                        longer[length - 1] = (byte) end;
                        values.add(longer);
                    }
                }
            }
            from = until;
        }
        return values;
    }

    /** Text of about this length, with damage in one place of {@code damage}. */
    static byte[] text(Random random, int length, int damage) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            int kind = random.nextInt(8);
            int least = new int[] {0x20, 0x20, 0x20, 0x20, 0x80, 0x800, 0xE000, 0x1_0000}[kind];
            int most = new int[] {0x7F, 0x7F, 0x7F, 0x7F, 0x7FF, 0xD7FF, 0xFFFF, 0x10_FFFF}[kind];
            for (int run = random.nextInt(20); run >= 0; run--) {
                text.appendCodePoint(least + random.nextInt(most - least + 1));
            }
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        for (int at = 0; damage > 0 && at < bytes.length; at++) {
            if (random.nextInt(damage) == 0) {
                bytes[at] = (byte) random.nextInt();
            }
        }
        return bytes;
    }

    /** What the JDK says of bytes. Its replacements are others. */
    static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes));
            return true;
        } catch (java.nio.charset.CharacterCodingException error) {
            return false;
        }
    }

    static void utf8() {
        test("short values", () -> {
            for (byte[] value : shortValues()) {
                same(value, 0, value.length);
            }
        });
        test("places of short values", () -> {
            byte[] end = {'e', 'n', 'd'};
            for (int before : new int[] {1, 7, 8, 31, 33, 255, 256, 257, 300}) {
                for (byte[] value : shortValues().subList(0, 2000)) {
                    byte[] whole = new byte[before + value.length + end.length];
                    Arrays.fill(whole, 0, before, (byte) 'a');
                    System.arraycopy(value, 0, whole, before, value.length);
                    System.arraycopy(end, 0, whole, before + value.length, end.length);
                    same(whole, 0, whole.length);
                    // What is after the end of the value does not matter.
                    same(whole, before / 2, before - before / 2 + value.length);
                }
            }
        });
        test("random texts", () -> {
            Random random = new Random(7);
            for (int round = 0; round < 3000; round++) {
                byte[] bytes = text(random, random.nextInt(1500), round % 3 == 0 ? 0 : 1 << random.nextInt(9));
                int start = random.nextInt(bytes.length + 1);
                same(bytes, start, random.nextInt(bytes.length - start + 1));
            }
        });
        test("damage at the ends of slices", () -> {
            byte[] wide = "aé€😀".repeat(30_000).getBytes(StandardCharsets.UTF_8);
            for (int at = 65_528; at < 65_545; at++) {
                for (int cut : new int[] {0xC0, 0xE2, 0xED, 0xF0, 0x80, 0xFF, 'x'}) {
                    byte[] bytes = Arrays.copyOf(wide, 200_000);
                    bytes[at] = (byte) cut;
                    same(bytes, 0, at + 1);
                    same(bytes, 0, bytes.length);
                    same(bytes, 3, at);
                }
            }
        });
        test("a value of 100 MB", () -> {
            byte[] large = new byte[100 << 20];
            Arrays.fill(large, (byte) 'a');
            equal(Utf8.makeValid(large, 0, large.length), null, "clean");
            large[large.length - 1] = (byte) 0xE9;
            equal(Utf8.firstError(large).toString(), "truncated at offset " + (large.length - 1), "damaged");
            byte[] made = Utf8.makeValid(large);
            equal(made.length, large.length + 2, "length");
            Arrays.fill(large, (byte) 0xFF);
            equal(Utf8.makeValid(large).length, 3 * large.length, "nothing but damage");
        });
        test("strings", () -> {
            equal(Utf8.decode(hex("636166e9")), "caf\uFFFD", "decode");
            equal(Utf8.decodeStrict(hex("636166c3a9")), "café", "decodeStrict");
            equal(Utf8.encode("a\uD83D\uDE00\uD800z\uDC00"), hex("61f09f9880efbfbd7aefbfbd"), "encode");
            IllFormedException error = fails(IllFormedException.class, () -> Utf8.decodeStrict(hex("636166e9")));
            equal(error.offset() + " " + error.length() + " " + error.kind(), "3 1 truncated", "error");
        });
        test("wrong arguments", () -> {
            fails(NullPointerException.class, () -> Utf8.isValid(null));
            for (int[] bounds : new int[][] {{-1, 1}, {0, 4}, {3, 1}, {1, -1}, {Integer.MAX_VALUE, Integer.MAX_VALUE}}) {
                fails(IndexOutOfBoundsException.class, () -> Utf8.isValid(new byte[3], bounds[0], bounds[1]));
                fails(IndexOutOfBoundsException.class, () -> Utf8.makeValid(new byte[3], bounds[0], bounds[1]));
                fails(IndexOutOfBoundsException.class, () -> Utf8.firstError(new byte[3], bounds[0], bounds[1]));
            }
        });
    }

    /** The functions agree with the JDK and, where both are there, with each other. */
    static void same(byte[] bytes, int start, int length) {
        byte[] value = Arrays.copyOfRange(bytes, start, start + length);
        boolean isValid = isUtf8(value);
        equal(Utf8.isValid(bytes, start, length), isValid, value);
        byte[] made = Utf8.makeValid(bytes, start, length);
        equal(made == null, isValid, value);
        equal(made == null || isUtf8(made), true, value);
        Utf8Error error = Utf8.firstError(bytes, start, length);
        equal(error == null, isValid, value);
        equal(PureJava.makeValid(bytes, start, start + length), made, value);
        equal(PureJava.firstError(bytes, start, start + length), error, value);
        if (Native.IS_THERE) {
            equal(Native.isValid(bytes, start, length), isValid, value);
            equal(Native.makeValid(bytes, start, length), made, value);
        }
    }

    /** What the tables of Java make of a value is what the library makes. */
    static void sameByTable(String name, int number, byte[] bytes, int offset, int length) {
        byte[] value = Arrays.copyOfRange(bytes, offset, offset + length);
        byte[] found = Encodings.toUtf8(bytes, offset, length, name);
        byte[] expected = Native.toUtf8(bytes, offset, length, number);
        equal(found == null ? value : found, expected == null ? value : expected, name);
    }

    static void withoutLibrary() {
        test("what there is without the native library", () -> {
            equal(Native.IS_THERE, false, "native");
            equal(Encodings.version().contains("without its native library"), true, Encodings.version());
            equal(Encodings.decode(hex("636166e9"), "utf-8"), "caf\uFFFD", "UTF-8");
            equal(Utf8.repair(hex("636166e9"), RepairOptions.DEFAULT), hex("636166efbfbd"), "repair");
            fails(UnsupportedOperationException.class, () -> Encodings.decode(new byte[1], "gbk"));
            fails(UnsupportedOperationException.class, () -> Detector.detect(new byte[1]));
            fails(UnsupportedOperationException.class, () -> Utf8.findings(hex("ff")));
            fails(UnsupportedOperationException.class, () -> new Detector());
            equal(java.nio.charset.Charset.isSupported("UTF-7"), false, "UTF-7");
            equal(Utf8.findings(hex("61")).size(), 0, "no findings");
        });
    }

    /** Arguments that Java's own checks would not let through, straight to the native methods. */
    static void both() {
        test("native methods check their arguments", () -> {
            int[] ends = {Integer.MIN_VALUE, -1, 0, 1, 3, 4, 65_536, Integer.MAX_VALUE};
            for (int start : ends) {
                for (int length : ends) {
                    boolean isInside = start >= 0 && length >= 0 && (long) start + length <= 3;
                    Test call = () -> Native.isValid(new byte[3], start, length);
                    Test decode = () -> Native.toText(new byte[3], start, length, 1, false);
                    Test repair = () -> Native.repair(new byte[3], start, length, -1, 3);
                    for (Test each : new Test[] {call, decode, repair}) {
                        if (isInside) {
                            each.run();
                        } else if (length != 0 || start < 0) {
                            fails(Throwable.class, each);
                        }
                    }
                }
            }
            fails(NullPointerException.class, () -> Native.isValid(null, 0, 0));
            fails(NullPointerException.class, () -> Native.encode(null, 0, 0, false));
            fails(ArrayIndexOutOfBoundsException.class, () -> Native.encode(new char[3], 4, 0, false));
            fails(IllegalArgumentException.class, () -> Native.toUtf8(new byte[3], 0, 3, 10_000));
            fails(IllegalArgumentException.class, () -> Native.toUtf8(new byte[3], 0, 3, -1));
            fails(IllegalArgumentException.class, () -> Native.repair(new byte[3], 0, 3, 0, 0));
            fails(IllegalStateException.class, () -> Native.resetCoder(1L << 60));
            fails(IllegalStateException.class, () -> Native.feedDetector(-1, new byte[3], 0, 3));
            Native.freeCoder(-7);
            long coder = Native.newCoder(0, true);
            int[] report = new int[4];
            fails(Exception.class, () -> Native.decodeStep(coder, new byte[8], 9, new char[9], 9, false, report));
            fails(Exception.class, () -> Native.decodeStep(coder, new byte[8], 8, new char[2], 8, false, report));
            fails(Exception.class, () -> Native.decodeStep(coder, new byte[8], 8, new char[8], 8, false, new int[3]));
            fails(Exception.class, () -> Native.decodeStep(coder, new byte[8], -1, new char[8], 8, false, report));
            fails(Exception.class, () -> Native.encodeStep(coder, new char[8], 9, new byte[8], 8, false, report));
            Native.freeCoder(coder);
            fails(IllegalStateException.class, () -> Native.resetCoder(coder));
        });
        test("an array that another thread changes", () -> {
            byte[] bytes = text(new Random(3), 100_000, 50);
            boolean[] stop = new boolean[1];
            Thread thread = new Thread(() -> {
                Random random = new Random(4);
                while (!stop[0]) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                    Thread.onSpinWait();
                }
            });
            thread.start();
            try {
                for (int round = 0; round < 300; round++) {
                    Utf8.isValid(bytes);
                    Utf8.makeValid(bytes, 0, round * 10);
                    isUtf8(Utf8.makeValid(bytes));
                    Utf8.firstError(bytes);
                    Encodings.decode(bytes, "gb18030");
                    Utf8.findings(bytes, 0, 2000);
                }
            } finally {
                stop[0] = true;
                thread.join();
            }
        });
    }

    static void library() {
        test("findings", () -> {
            List<Finding> found = Utf8.findings(hex("6f6e650a74776f20c0af"));
            equal(found.size(), 1, "number");
            Finding first = found.get(0);
            equal(first.line() + ":" + first.column() + " " + first.kind() + " " + first.codePoint() + " " + first.hex(),
                    "2:5 overlong U+002F c0af", "finding");
            equal(first.offset() + " " + first.length(), "8 2", "place");
        });
        test("too many findings are an error", () -> {
            byte[] bytes = new byte[16 << 20];
            Arrays.fill(bytes, (byte) 0xFF);
            fails(OutOfMemoryError.class, () -> Utf8.findings(bytes));
        });
        test("repair", () -> {
            RepairOptions options = RepairOptions.DEFAULT.fallback("cp1252").reinterpret(true).undouble(true);
            byte[] made = Utf8.repair(hex("636166e920c0ae20eda0bdedb880"), options);
            equal(new String(made, StandardCharsets.UTF_8), "café . 😀", "text");
            fails(IllegalArgumentException.class, () -> RepairOptions.DEFAULT.fallback("utf-16"));
            fails(IllegalArgumentException.class, () -> RepairOptions.DEFAULT.fallback("nonsense"));
            fails(IllegalArgumentException.class, () -> RepairOptions.of(java.util.Map.of("undouble", "maybe")));
        });
        test("what earlier programs have left", () -> {
            Path parent = Files.createTempDirectory("sweep");
            Path[] files = new Path[3];
            for (int number = 0; number < 3; number++) {
                Path folder = Files.createDirectory(parent.resolve(number < 2 ? "utfkit-" + number : "other-2"));
                files[number] = Files.write(folder.resolve("a.dll"), new byte[1]);
                long age = number == 1 ? 0 : 7_200_000;
                Files.setLastModifiedTime(files[number], FileTime.fromMillis(System.currentTimeMillis() - age));
            }
            NativeLibrary.sweep(parent, "a.dll", System.currentTimeMillis() - 3_600_000);
            equal(Files.exists(files[0].getParent()), false, "an old one of ours");
            equal(Files.exists(files[1]) && Files.exists(files[2]), true, "a new one, and one of another program");
            NativeLibrary.sweep(parent, "a.dll", Long.MAX_VALUE);
            NativeLibrary.sweep(parent.resolve("none"), "a.dll", Long.MAX_VALUE);
            Files.delete(files[2]);
            Files.delete(files[2].getParent());
            Files.delete(parent);
        });
        test("encodings of one byte per character, by a table and by the library", () -> {
            byte[] all = new byte[256];
            for (int value = 0; value < 256; value++) {
                // Each byte with another before and after it than its neighbours.
                all[value] = (byte) (value * 89);
            }
            int count = 0;
            for (int number = 0; number < Encodings.Table.ALL.size(); number++) {
                Encodings.Info info = Encodings.Table.ALL.get(number);
                count += info.isSingleByte ? 1 : 0;
                for (int length : new int[] {0, 1, 7, 200, 256}) {
                    byte[] expected = Native.toUtf8(all, 256 - length, length, number);
                    byte[] found = Encodings.toUtf8(all, 256 - length, length, info.name);
                    byte[] same = Arrays.copyOfRange(all, 256 - length, 256);
                    equal(found == null ? same : found, expected == null ? same : expected, info.name);
                }
            }
            equal(count > 50, true, count + " encodings of one byte per character");
        });
        test("encodings of two bytes per character, by a table and by the library", () -> {
            Random random = new Random(2);
            int count = 0;
            for (int number = 0; number < Encodings.Table.ALL.size(); number++) {
                Encodings.Info info = Encodings.Table.ALL.get(number);
                if (!info.isDoubleByte) {
                    continue;
                }
                count++;
                byte[] pair = {'a', 0, 0, 'z'};
                for (int value = 0x8000; value < 0x1_0000; value++) {
                    pair[1] = (byte) (value >> 8);
                    pair[2] = (byte) value;
                    sameByTable(info.name, number, pair, 0, 4);
                    sameByTable(info.name, number, pair, 1, 1);
                    sameByTable(info.name, number, pair, 1, 2);
                }
                byte[] text = ("茶 plain 文字 编码 テキスト 데이터 2026").getBytes(java.nio.charset.Charset.forName(info.name));
                for (int round = 0; round < 2000; round++) {
                    byte[] damaged = Arrays.copyOf(text, text.length - random.nextInt(5));
                    for (int damage = round % 4; damage > 0; damage--) {
                        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                    }
                    sameByTable(info.name, number, damaged, round % 3, damaged.length - round % 3);
                }
            }
            equal(count >= 6, true, count + " encodings of two bytes per character");
        });
        test("detection", () -> {
            byte[] text = "Привет, мир! Как дела? Спасибо, хорошо.".getBytes("KOI8-R");
            Detection found = Detector.detect(text);
            equal(found.encoding(), "KOI8-R", "encoding");
            equal(Encodings.decode(text, found.encoding()).startsWith("Привет"), true, "text");
            try (Detector detector = new Detector()) {
                for (int at = 0; at < text.length; at++) {
                    detector.feed(text, at, 1);
                }
                equal(detector.finish().toString(), found.toString(), "in pieces");
                fails(IllegalStateException.class, detector::finish);
                fails(IllegalStateException.class, () -> detector.feed(text, 0, 1));
            }
            equal(Detector.detect(hex("89504e470d0a1a0a0000000d49484452")).charset(), null, "an image");
        });
        test("encodings", () -> {
            equal(Encodings.names().get(Encodings.UTF_8), "UTF-8", "the first");
            equal(Encodings.find("nonsense"), null, "nonsense");
            equal(Encodings.find("LATIN1"), "ISO-8859-1", "a label");
            equal(Encodings.decode(hex("2b414f6b2d"), "utf-7"), "é", "UTF-7");
            equal(Encodings.encode("日本", "IMAP-mailbox-name"), "&ZeVnLA-".getBytes("US-ASCII"), "mailbox");
            equal(Encodings.encode("a\uD800\0", "WTF-8"), hex("61eda08000"), "WTF-8");
            equal(Encodings.decode(hex("61eda08000"), "WTF-8"), "a\uD800\0", "WTF-8");
            fails(IllegalArgumentException.class, () -> Encodings.decode(new byte[1], "nonsense"));
            fails(IllFormedException.class, () -> Encodings.encodeStrict("日", "cp1252"));
            fails(IllFormedException.class, () -> Encodings.decodeStrict(hex("81"), "shift_jis"));
            equal(Encodings.encode("日", "cp1252"), "?".getBytes("US-ASCII"), "lacking");
        });
    }
}
