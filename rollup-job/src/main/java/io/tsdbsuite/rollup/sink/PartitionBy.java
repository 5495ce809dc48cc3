package io.tsdbsuite.rollup.sink;

/** Partitioning of messages; all messages of a series go to the same partition. */
public enum PartitionBy {
  /** By the key, as every Kafka producer does by default: {@code murmur2(key) mod P}. */
  SERIES,
  /**
   * By metric first, by series inside it second, so that a consumer can own whole metrics:
   *
   * <pre>  partition = (murmur2(metric) mod (P / spread)) * spread + murmur2(key) mod spread</pre>
   */
  METRIC
}
