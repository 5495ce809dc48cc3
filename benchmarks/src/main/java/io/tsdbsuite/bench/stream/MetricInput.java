package io.tsdbsuite.bench.stream;

import java.nio.charset.StandardCharsets;

/**
 * Metric messages of many series, the same for the same arguments. A round has one message of each
 * series; series follow each other at the same distance in time.
 *
 * <p>The names of a series have 76 characters as text and 83 bytes in stream-rollup's state. Not
 * thread-safe: each thread has its own.
 */
final class MetricInput {
  private static final long HASH = 0x9E3779B97F4A7C15L;
  private static final byte[] HEAD = bytes("{\"type\":\"Metric\",\"metric\":\"");
  private static final byte[] TIMESTAMP = bytes("\",\"timestamp\":");
  private static final byte[] VALUE = bytes(",\"value\":");
  private static final byte[] TAGS = bytes(",\"tags\":{\"cluster\":\"eu-central-1a\",\"host\":\"");
  private static final byte[] END = bytes("\",\"service\":\"checkout\"}}");
  private static final String METRIC = "app.http.latency.p";
  private static final int METRICS = 90;
  private static final int FIRST_METRIC = 10;
  private static final int FIRST_HOST = 1_000_000;

  private final byte[] buffer = new byte[256];
  private int length;

  /** The message of a series: JSON. */
  byte[] message(int series, long second) {
    length = 0;
    append(HEAD);
    append(bytes(metric(series)));
    append(TIMESTAMP);
    append(second);
    append(VALUE);
    long drawn = ((series * 31L + second) * HASH) >>> 44;
    append(drawn / 100);
    append('.');
    append('0' + (int) (drawn / 10 % 10));
    append('0' + (int) (drawn % 10));
    append(TAGS);
    append(bytes(host(series)));
    append(END);
    byte[] message = new byte[length];
    System.arraycopy(buffer, 0, message, 0, length);
    return message;
  }

  /** The key of a series: its names as text, as in rollup messages. */
  static byte[] key(int series) {
    return bytes(
        metric(series) + "{cluster=eu-central-1a,host=" + host(series) + ",service=checkout}");
  }

  private static String metric(int series) {
    return METRIC + (FIRST_METRIC + series % METRICS);
  }

  private static String host(int series) {
    return "web" + (FIRST_HOST + series);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void append(byte[] bytes) {
    System.arraycopy(bytes, 0, buffer, length, bytes.length);
    length += bytes.length;
  }

  private void append(int character) {
    buffer[length++] = (byte) character;
  }

  /** Appends a number of at least 0. */
  private void append(long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    long rest = number;
    for (int i = length + digits - 1; i >= length; i--) {
      buffer[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }
}
