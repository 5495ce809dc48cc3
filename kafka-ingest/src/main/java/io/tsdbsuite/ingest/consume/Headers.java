package io.tsdbsuite.ingest.consume;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;

/** Headers that the plugin writes, all of them text in UTF-8. */
final class Headers {
  /** Code of a {@link io.tsdbsuite.message.read.Reason}. */
  static final String REASON = "kafka-ingest.reason";

  /** The reason in words. */
  static final String MESSAGE = "kafka-ingest.message";

  /** The group that gave the message up. */
  static final String GROUP = "kafka-ingest.group";

  /** Where the message was. */
  static final String TOPIC = "kafka-ingest.topic";

  static final String PARTITION = "kafka-ingest.partition";
  static final String OFFSET = "kafka-ingest.offset";

  /** Which element of an array it was, from 0; absent for a whole message. */
  static final String ELEMENT = "kafka-ingest.element";

  /** Bytes of the value that a dead letter was too large to keep; absent where it has its value. */
  static final String LEFT_OUT = "kafka-ingest.leftOut";

  /** When the message was requeued, milliseconds since the epoch. */
  static final String REQUEUED_AT = "kafka-ingest.requeuedAt";

  /** When a message that was requeued was first read, milliseconds since the epoch. */
  static final String FIRST_READ_AT = "kafka-ingest.firstReadAt";

  /** How often it was requeued. */
  static final String ATTEMPT = "kafka-ingest.attempt";

  private Headers() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** As much of a text, from its start, as fits; never a part of a character. */
  static byte[] bytes(String text, int maxBytes) {
    byte[] all = bytes(text);
    if (all.length <= maxBytes) {
      return all;
    }
    int end = maxBytes;
    // The second and later bytes of a character are 10xxxxxx.
    while (end > 0 && (all[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(all, end);
  }

  static byte[] bytes(long number) {
    return bytes(Long.toString(number));
  }

  /** The last header of that name as a number; the other value if it is absent or no number. */
  static long number(org.apache.kafka.common.header.Headers headers, String name, long orElse) {
    Header header = headers.lastHeader(name);
    if (header == null || header.value() == null) {
      return orElse;
    }
    try {
      return Long.parseLong(new String(header.value(), StandardCharsets.UTF_8));
    } catch (NumberFormatException e) {
      return orElse;
    }
  }
}
