package utfkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Calls every native method for a long time, and prints the memory of the process before and after. */
final class Soak {
    private Soak() {}

    /** {@code calls} on {@code threads} threads. */
    static void run(long calls, int threads) throws Exception {
        work(calls / 100, 1);
        System.gc();
        long before = resident();
        long start = System.nanoTime();
        Thread[] running = new Thread[threads];
        for (int number = 0; number < threads; number++) {
            int seed = number;
            running[number] = new Thread(() -> work(calls / threads, seed));
            running[number].start();
        }
        for (Thread thread : running) {
            thread.join();
        }
        System.gc();
        Thread.sleep(200);
        System.out.printf(
                "%,d calls in %.0f s: resident %,d KB before, %,d KB after%n",
                calls, (System.nanoTime() - start) / 1e9, before, resident());
    }

    private static void work(long calls, int seed) {
        Random random = new Random(seed);
        byte[][] values = new byte[256][];
        for (int number = 0; number < values.length; number++) {
            values[number] = Tests.text(random, random.nextInt(60), number % 8 == 0 ? 10 : 0);
        }
        byte[] large = Tests.text(random, 200_000, 5000);
        int gbk = Encodings.number("gbk");
        long found = 0;
        for (long call = 0; call < calls; call++) {
            byte[] value = values[(int) call & 255];
            found += Native.isValid(value, 0, value.length) ? 1 : 0;
            // Each of the rarer ones is a call, too.
            switch ((int) (call & 0xFFFF)) {
                case 0x1000:
                    found += Native.makeValid(large, 0, large.length).length;
                    break;
                case 0x2000:
                    found += Native.findings(large, 0, large.length, 0).length;
                    break;
                case 0x3000:
                    found += Encodings.decode(large, "gb18030").length();
                    break;
                case 0x4000:
                    found += Encodings.charset("UTF-7").encode(Utf8.decode(large)).remaining();
                    break;
                case 0x5000:
                    found += Detector.detect(value).certainty().length();
                    break;
                case 0x6000:
                    try {
                        Native.toText(value, 0, value.length + 1, gbk, true);
                    } catch (RuntimeException expected) {
                        found++;
                    }
                    break;
                default:
                    switch ((int) (call & 0xFF)) {
                        case 1:
                            found += Native.toText(value, 0, value.length, gbk, false).length();
                            break;
                        case 8:
                            byte[] made = Native.makeValid(value, 0, value.length);
                            found += made == null ? 0 : made.length;
                            break;
                        case 16:
                            byte[] repaired = Native.repair(value, 0, value.length, -1, 3);
                            found += repaired == null ? 0 : repaired.length;
                            break;
                        default:
                    }
            }
        }
        if (found == 0) {
            throw new AssertionError();
        }
    }

    /** The resident memory in KB. */
    private static long resident() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return -1;
    }
}
