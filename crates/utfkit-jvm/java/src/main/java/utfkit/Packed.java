package utfkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads a record of numbers and texts that a native method has made. */
final class Packed {
    private final ByteBuffer bytes;

    Packed(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    boolean hasMore() {
        return bytes.hasRemaining();
    }

    long number() {
        return bytes.getLong();
    }

    byte[] bytes() {
        byte[] part = new byte[bytes.getInt()];
        bytes.get(part);
        return part;
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
