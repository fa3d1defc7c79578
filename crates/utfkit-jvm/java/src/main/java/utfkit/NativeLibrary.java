package utfkit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Loads the native library from the jar.
 *
 * <p>The library is read, compared with its checksum, written into a new folder that only this user can enter, loaded,
 * and removed: a loaded library does not need its file, except on Windows, where a later start removes it. Where a
 * folder cannot be written, or nothing can be executed in it, the next is tried.
 */
final class NativeLibrary {
    /** Names a library to load in place of the one in the jar, or is "none". */
    static final String PROPERTY = "utfkit.library";

    private static final String ROOT = "/utfkit/native/";

    /** A file of this age in milliseconds belongs to no program that is about to load it. */
    private static final long AGE = 3_600_000;

    private NativeLibrary() {}

    /** Loads it, and returns null, or the reason why there is none, which is logged. */
    static String load() {
        String reason;
        try {
            reason = tryToLoad();
        } catch (IOException | RuntimeException | UnsatisfiedLinkError failed) {
            reason = failed.toString();
        }
        if (reason != null) {
            System.getLogger("utfkit")
                    .log(
                            Level.WARNING,
                            "utfkit works without its native library, more slowly, and does not know encodings: " + reason);
        }
        return reason;
    }

    private static String tryToLoad() throws IOException {
        String given = System.getProperty(PROPERTY, "");
        if (given.equals("none")) {
            return "the property " + PROPERTY + " is \"none\"";
        }
        if (!given.isEmpty()) {
            System.load(Path.of(given).toAbsolutePath().toString());
            return versions();
        }
        String platform = platform();
        String name = platform + "/" + (platform.startsWith("windows") ? "utfkit_jvm.dll" : "libutfkit_jvm.so");
        byte[] library = resource(name);
        if (library == null) {
            return "there is none for " + platform;
        }
        String sum = sum(name);
        if (!sum.equals(sha256(library))) {
            return "the library in the jar is damaged: " + name + " has another checksum";
        }
        List<String> failures = new ArrayList<>();
        for (String folder : folders()) {
            try {
                loadFrom(Path.of(folder), library, name.substring(name.indexOf('/') + 1));
                return versions();
            } catch (IOException | RuntimeException | UnsatisfiedLinkError failed) {
                failures.add(folder + ": " + failed);
            }
        }
        return "it cannot be unpacked and loaded: " + String.join("; ", failures);
    }

    /** The folders to try, in this order. */
    private static Set<String> folders() {
        Set<String> folders = new LinkedHashSet<>();
        for (String folder : new String[] {
            System.getProperty("java.io.tmpdir"),
            System.getenv("XDG_RUNTIME_DIR"),
            System.getenv("SPARK_WORKER_DIR"),
            System.getProperty("user.home"),
            System.getProperty("user.dir"),
        }) {
            if (folder != null && !folder.isEmpty()) {
                folders.add(folder);
            }
        }
        return folders;
    }

    private static void loadFrom(Path parent, byte[] library, String name) throws IOException {
        boolean isWindows = name.endsWith(".dll");
        FileAttribute<?>[] forOwner = isWindows
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                };
        // Fails rather than use a folder that is there.
        Path folder = Files.createTempDirectory(parent, "utfkit-", forOwner);
        Path file = folder.resolve(name);
        boolean isKept = false;
        if (isWindows) {
            sweep(parent, name, System.currentTimeMillis() - AGE);
        }
        try {
            Files.write(file, library, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            System.load(file.toAbsolutePath().toString());
            isKept = isWindows;
        } finally {
            if (!isKept) {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        }
    }

    /** Removes what earlier programs have left, unless they run: Windows keeps the file of a loaded library. */
    static void sweep(Path parent, String name, long before) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "utfkit-*")) {
            for (Path folder : folders) {
                try {
                    Path file = folder.resolve(name);
                    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                            && Files.getLastModifiedTime(file).toMillis() < before) {
                        Files.delete(file);
                        Files.delete(folder);
                    }
                } catch (IOException used) {
                    continue;
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            return;
        }
    }

    /** The operating system and the processor, as the folders of the jar are named. */
    static String platform() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (system.startsWith("windows")) {
            system = "windows";
        }
        switch (processor) {
            case "amd64":
            case "x86_64":
                return system + "-x86_64";
            case "arm64":
            case "aarch64":
                return system + "-aarch64";
            default:
                return system + "-" + processor;
        }
    }

    /** Null, or why the library does not belong to these classes. */
    private static String versions() {
        String library = new String(Native.version(), StandardCharsets.UTF_8);
        return library.equals(version()) ? null : "the library has version " + library + ", and the jar " + version();
    }

    /** The version of the jar. */
    static String version() {
        byte[] version = resourceOrNull("version");
        return version == null ? "unknown" : new String(version, StandardCharsets.UTF_8).trim();
    }

    private static byte[] resourceOrNull(String name) {
        try {
            return resource(name);
        } catch (IOException failed) {
            return null;
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream stream = NativeLibrary.class.getResourceAsStream(ROOT + name)) {
            return stream == null ? null : stream.readAllBytes();
        }
    }

    private static String sum(String name) throws IOException {
        byte[] sums = resource("SHA256SUMS");
        if (sums != null) {
            for (String line : new String(sums, StandardCharsets.UTF_8).split("\n")) {
                String[] parts = line.trim().split("\\s+", 2);
                if (parts.length == 2 && parts[1].equals(name)) {
                    return parts[0];
                }
            }
        }
        throw new IOException("the jar has no checksum of " + name);
    }

    private static String sha256(byte[] bytes) {
        try {
            StringBuilder hex = new StringBuilder();
            for (byte part : MessageDigest.getInstance("SHA-256").digest(bytes)) {
                hex.append(String.format("%02x", part));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
