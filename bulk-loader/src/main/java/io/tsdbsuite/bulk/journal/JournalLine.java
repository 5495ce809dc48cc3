package io.tsdbsuite.bulk.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A line of a journal: the JSON of an event with the checksum of the bytes before it.
 *
 * <pre>
 *   {"n":1,"event":"BulkLoading","crc":"9a0b1c2d"}\n
 *   |______________________________|
 *        CRC32C of these, in hex
 * </pre>
 */
final class JournalLine {
  private static final int CHECKSUM_LENGTH = 18;

  private JournalLine() {}

  /** The line, its end included. */
  static byte[] write(long number, JournalEvent event) {
    byte[] json = EventJson.write(number, event);
    int head = json.length - 1;
    byte[] line = Arrays.copyOf(json, head + CHECKSUM_LENGTH + 1);
    System.arraycopy(checksum(json, 0, head), 0, line, head, CHECKSUM_LENGTH);
    line[line.length - 1] = '\n';
    return line;
  }

  private static byte[] checksum(byte[] bytes, int off, int len) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, off, len);
    return String.format(",\"crc\":\"%08x\"}", crc.getValue()).getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether these bytes, without an end of line, are a valid line. */
  static boolean isWhole(byte[] bytes, int off, int len) {
    int head = len - CHECKSUM_LENGTH;
    return head > 0
        && Arrays.equals(
            bytes, off + head, off + len, checksum(bytes, off, head), 0, CHECKSUM_LENGTH);
  }

  /**
   * Parses a valid line.
   *
   * @throws IOException when another version has written it
   */
  static EventJson.Numbered read(byte[] bytes, int off, int len) throws IOException {
    int head = len - CHECKSUM_LENGTH;
    byte[] json = Arrays.copyOfRange(bytes, off, off + head + 1);
    json[head] = '}';
    return EventJson.read(json, 0, json.length);
  }
}
