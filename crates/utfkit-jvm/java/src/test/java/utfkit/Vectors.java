package utfkit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;

/**
 * Compares with what the library gave through another door: a file with an operation, an argument, the input and the
 * expected result in each line, with tabs between; the last two in hexadecimal.
 */
final class Vectors {
    private Vectors() {}

    static void run(String file) throws Exception {
        int count = 0;
        for (String line : Files.readAllLines(Path.of(file))) {
            String[] parts = line.split("\t", -1);
            byte[] input = Tests.hex(parts[2]);
            String name = "line " + ++count + ", " + parts[0] + " " + parts[1];
            Tests.test(name, () -> Tests.equal(result(parts[0], parts[1], input), Tests.hex(parts[3]), input));
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] result(String operation, String argument, byte[] input) throws Exception {
        switch (operation) {
            case "decode":
                // A string of Java has surrogates of its own, which UTF-8 has not.
                return Utf8.encode(Encodings.decode(input, argument));
            case "charset":
                return Utf8.encode(new String(input, Encodings.charset(argument)));
            case "to-utf8":
                byte[] made = Encodings.toUtf8(input, 0, input.length, argument);
                return made == null ? input : made;
            case "encode":
                return Encodings.encode(Utf8.decode(input), argument);
            case "charset-encode":
                return Utf8.decode(input).getBytes(Encodings.charset(argument));
            case "strict":
                try {
                    Encodings.decodeStrict(input, argument);
                    return new byte[0];
                } catch (IllFormedException error) {
                    return utf8(error.offset() + " " + error.length());
                }
            case "make-valid":
                return Utf8.makeValid(input);
            case "first-error":
                Utf8Error error = Utf8.firstError(input);
                return utf8(error == null ? "" : error.offset() + " " + error.length() + " " + error.kind());
            case "check":
                StringJoiner findings = new StringJoiner("\n");
                for (Finding each : Encodings.findings(input, 0, input.length, argument)) {
                    findings.add(each.offset() + " " + each.line() + " " + each.column() + " " + each.hex() + " "
                            + each.kind() + " " + each.codePoint() + " " + each.message());
                }
                return utf8(findings.toString());
            case "detect":
                Detection found = Detector.detect(input);
                return utf8(found.encoding() + " " + found.certainty());
            case "repair":
                RepairOptions options = RepairOptions.DEFAULT;
                for (String option : argument.split(" ")) {
                    switch (option) {
                        case "undouble":
                            options = options.undouble(true);
                            break;
                        case "reinterpret":
                            options = options.reinterpret(true);
                            break;
                        case "":
                            break;
                        default:
                            options = options.fallback(option);
                    }
                }
                return Utf8.repair(input, options);
            default:
                throw new AssertionError("no operation " + operation);
        }
    }
}
