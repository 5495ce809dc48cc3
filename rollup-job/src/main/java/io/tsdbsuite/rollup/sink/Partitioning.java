package io.tsdbsuite.rollup.sink;

import java.util.Arrays;
import org.apache.kafka.common.utils.Utils;

/** Computes {@link PartitionBy#METRIC}; the hash is Kafka's own murmur2 without its sign. */
final class Partitioning {
  private final int partitions;
  private final int spread;

  /** Cached metric: rows arrive sorted by metric, so one hash serves many rows. */
  private byte[] metric = {};

  private int group;

  /**
   * Creates a partitioning for a topic.
   *
   * @param partitions partitions of the topic
   * @param spread partitions that a metric spreads over, 1 to {@code partitions}
   */
  Partitioning(int partitions, int spread) {
    this.partitions = partitions;
    this.spread = spread;
    this.group = group(metric);
  }

  /**
   * Returns the partition of a series, 0 to partitions - 1.
   *
   * @param key the key of its messages
   * @param metricLength bytes of the metric's name, with which the key begins
   */
  int partition(byte[] key, int metricLength) {
    if (!Arrays.equals(metric, 0, metric.length, key, 0, metricLength)) {
      metric = Arrays.copyOf(key, metricLength);
      group = group(metric);
    }
    return group * spread + hash(key) % spread;
  }

  private int group(byte[] name) {
    return hash(name) % (partitions / spread);
  }

  private static int hash(byte[] bytes) {
    return Utils.toPositive(Utils.murmur2(bytes));
  }
}
