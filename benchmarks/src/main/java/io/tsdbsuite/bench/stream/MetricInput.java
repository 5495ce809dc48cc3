package io.tsdbsuite.bench.stream;

import java.nio.charset.StandardCharsets;

/**
 * Metric messages of many series, the same for the same arguments. The names of a series have 76
 * characters as text and 83 bytes in stream-rollup's state.
 */
final class MetricInput {
  private static final long HASH = 0x9E3779B97F4A7C15L;
  private static final int METRICS = 90;
  private static final int FIRST_METRIC = 10;
  private static final int FIRST_HOST = 1_000_000;

  private MetricInput() {}

  /** The message of a series: JSON. */
  static byte[] message(int series, long second) {
    long drawn = ((series * 31L + second) * HASH) >>> 44;
    return bytes(
        "{\"type\":\"Metric\",\"metric\":\"%s\",\"timestamp\":%s,\"value\":%s.%s%s,\"tags\":{\"cluster\":\"eu-central-1a\",\"host\":\"%s\",\"service\":\"checkout\"}}"
            .formatted(
                metric(series), second, drawn / 100, drawn / 10 % 10, drawn % 10, host(series)));
  }

  /** The key of a series: its names as text, as in rollup messages. */
  static byte[] key(int series) {
    return bytes(
        metric(series) + "{cluster=eu-central-1a,host=" + host(series) + ",service=checkout}");
  }

  private static String metric(int series) {
    return "app.http.latency.p" + (FIRST_METRIC + series % METRICS);
  }

  private static String host(int series) {
    return "web" + (FIRST_HOST + series);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
