package io.tsdbsuite.ingest.publish;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The headers that the plugin writes, all as text in UTF-8. */
public final class MessageHeaders {
  /** Code of a {@link io.tsdbsuite.message.read.Reason}. */
  public static final String REASON = "kafka-ingest.reason";

  /** Description of the error. */
  public static final String MESSAGE = "kafka-ingest.message";

  /** The consumer group that read the message. */
  public static final String GROUP = "kafka-ingest.group";

  /** Source topic of the message. */
  public static final String TOPIC = "kafka-ingest.topic";

  /** Source partition of the message. */
  public static final String PARTITION = "kafka-ingest.partition";

  /** Offset of the message in that partition. */
  public static final String OFFSET = "kafka-ingest.offset";

  /** Index of the element in an array, from 0; absent for a whole message. */
  public static final String ELEMENT = "kafka-ingest.element";

  /** Bytes of the value that a stub does not contain; absent if the record has its value. */
  public static final String LEFT_OUT = "kafka-ingest.leftOut";

  /** When the message was requeued, milliseconds since the epoch. */
  public static final String REQUEUED_AT = "kafka-ingest.requeuedAt";

  /** When a requeued message was first read, milliseconds since the epoch. */
  public static final String FIRST_READ_AT = "kafka-ingest.firstReadAt";

  /** When a requeued request was first written to Kafka, milliseconds since the epoch. */
  public static final String REQUESTED_AT = "kafka-ingest.requestedAt";

  /** Number of times that the message was requeued. */
  public static final String ATTEMPT = "kafka-ingest.attempt";

  /** 2000-01-01. Earlier times are none: old producers write -1, and some write seconds. */
  private static final long EARLIEST_MILLIS = 946_684_800_000L;

  /** By how much the clock of this TSD may be behind that of a producer or another TSD. */
  private static final long TRUSTED_MILLIS = 300_000;

  /** Clocks that differ by less are not worth a word. */
  private static final long SKEW_MILLIS = 60_000;

  private MessageHeaders() {}

  /** The text in UTF-8. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The longest prefix of a text within a number of bytes that ends at a character boundary. */
  public static byte[] bytes(String text, int maxBytes) {
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

  /** The number in decimal digits. */
  public static byte[] bytes(long number) {
    return bytes(Long.toString(number));
  }

  /** The last header of that name as a number; {@code orElse} if it is absent or not a number. */
  public static long number(Headers headers, String name, long orElse) {
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

  /**
   * A time as a program wrote it, or the time when it was read, if it was written later than that
   * by more than five minutes, or before 2000: no message is newer than its reading.
   */
  public static long time(long millis, long readMillis) {
    return millis < EARLIEST_MILLIS || millis - readMillis > TRUSTED_MILLIS ? readMillis : millis;
  }

  /** Whether a time is more than a minute later than its reading, or before 2000. */
  public static boolean isWrong(long millis, long readMillis) {
    return millis < EARLIEST_MILLIS || millis - readMillis > SKEW_MILLIS;
  }
}
