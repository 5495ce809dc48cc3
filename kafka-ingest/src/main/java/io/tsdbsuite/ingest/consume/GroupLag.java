package io.tsdbsuite.ingest.consume;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/** How far the partitions that this TSD has are behind. Thread-safe. */
public final class GroupLag {
  /** Of a partition that was assigned and not measured since. */
  public static final long UNKNOWN = -1;

  private final Map<TopicPartition, Long> lags = new ConcurrentHashMap<>();

  /** One partition's lag. Immutable. */
  public static final class PartitionLag {
    private final TopicPartition partition;
    private final long lag;

    PartitionLag(TopicPartition partition, long lag) {
      this.partition = partition;
      this.lag = lag;
    }

    /** Its topic. */
    public String topic() {
      return partition.topic();
    }

    /** Its number. */
    public int partition() {
      return partition.partition();
    }

    /** Messages from the first that is not stored to the end, or {@link #UNKNOWN}. */
    public long lag() {
      return lag;
    }
  }

  void assigned(TopicPartition partition) {
    lags.putIfAbsent(partition, UNKNOWN);
  }

  void measured(TopicPartition partition, long lag) {
    lags.computeIfPresent(partition, (p, old) -> lag);
  }

  void revoked(TopicPartition partition) {
    lags.remove(partition);
  }

  /** The partitions that are assigned now, in the order of topic and number. */
  public List<PartitionLag> partitions() {
    List<PartitionLag> all = new ArrayList<>();
    lags.forEach((partition, lag) -> all.add(new PartitionLag(partition, lag)));
    all.sort(Comparator.comparing(PartitionLag::topic).thenComparing(PartitionLag::partition));
    return Collections.unmodifiableList(all);
  }

  /** The largest lag; empty if any is unknown, 0 without partitions. */
  public OptionalLong worst() {
    long worst = 0;
    for (long lag : lags.values()) {
      if (lag == UNKNOWN) {
        return OptionalLong.empty();
      }
      worst = Math.max(worst, lag);
    }
    return OptionalLong.of(worst);
  }
}
