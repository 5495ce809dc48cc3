package io.tsdbsuite.ingest;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.consume.GroupLag.PartitionLag;
import io.tsdbsuite.ingest.consume.GroupStats;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.consume.IngestGroup;
import io.tsdbsuite.ingest.mask.MaskStats;
import io.tsdbsuite.ingest.publish.RepairRequests;
import io.tsdbsuite.ingest.store.OtherWidths;
import io.tsdbsuite.ingest.store.PackedStats;
import io.tsdbsuite.ingest.store.RepairResult.Outcome;
import io.tsdbsuite.message.read.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import org.jspecify.annotations.Nullable;

/** Records the plugin's statistics for /api/stats. docs/kafka-ingest.md documents them. */
final class IngestStats {
  static final String PREFIX = "kafka-ingest.";

  /**
   * The classes of the plugin that have statistics in one TSD, which creates them independently.
   *
   * <p>{@code TSDB.collectStats} would ask them, too, but first reads the numbers of UIDs from
   * HBase, and waits without a time-out: in an outage a few requests would take all of the TSD's
   * HTTP threads.
   */
  private static final Map<TSDB, List<Consumer<StatsCollector>>> SOURCES = new WeakHashMap<>();

  private IngestStats() {}

  /**
   * Adds a source of statistics. Thread-safe.
   *
   * @param source records its statistics; never blocks
   */
  static void addSource(TSDB tsdb, Consumer<StatsCollector> source) {
    synchronized (SOURCES) {
      SOURCES.computeIfAbsent(tsdb, key -> new ArrayList<>()).add(source);
    }
  }

  /** Records the statistics of all sources of a TSD. Thread-safe. */
  static void collectAll(TSDB tsdb, StatsCollector collector) {
    List<Consumer<StatsCollector>> sources;
    synchronized (SOURCES) {
      sources = new ArrayList<>(SOURCES.getOrDefault(tsdb, Collections.emptyList()));
    }
    sources.forEach(source -> source.accept(collector));
  }

  static void collect(Iterable<IngestGroup> groups, StatsCollector collector) {
    for (IngestGroup group : groups) {
      collector.addExtraTag("group", group.config.name);
      try {
        collect(group, collector);
      } finally {
        collector.clearExtraTag("group");
      }
    }
  }

  static void collect(OtherWidths otherWidths, StatsCollector collector) {
    collector.record(PREFIX + "rollups.other_widths", otherWidths.cells());
  }

  static void collect(PackedStats packed, StatsCollector collector) {
    collector.record(PREFIX + "packed.parts", packed.written(), "state=written");
    collector.record(PREFIX + "packed.parts", packed.failed(), "state=failed");
  }

  /**
   * Records the masks.
   *
   * @param requests what requests the rollups; null if nothing does
   * @param by who has written them
   */
  static void collect(
      MaskStats masks, @Nullable RepairRequests requests, String by, StatsCollector collector) {
    long sent = requests == null ? 0 : requests.sent();
    long left = requests == null ? 0 : requests.left();
    collector.addExtraTag("by", by);
    try {
      collector.record(PREFIX + "masks.requests", sent, "state=sent");
      collector.record(PREFIX + "masks.requests", left, "state=left");
    } finally {
      collector.clearExtraTag("by");
    }
    for (MaskStats.Count count : MaskStats.Count.values()) {
      String name = PREFIX + "masks." + count.name().toLowerCase(Locale.ROOT);
      collector.record(name, masks.get(count), "by=" + by);
    }
  }

  private static void collect(IngestGroup group, StatsCollector collector) {
    GroupStats stats = group.stats;
    collector.record(PREFIX + "messages", stats.get(Count.CONSUMED), "state=consumed");
    collector.record(PREFIX + "messages", stats.get(Count.STORED), "state=stored");
    collector.record(PREFIX + "messages", stats.get(Count.DEAD), "state=deadLettered");
    collector.record(PREFIX + "messages", stats.get(Count.REQUEUED), "state=requeued");
    collector.record(PREFIX + "messages", stats.get(Count.REPLAYED), "state=replayed");
    collector.record(PREFIX + "messages.in_flight", stats.messagesInFlight());
    collector.record(PREFIX + "points.stored", stats.get(Count.STORED_POINTS));
    collector.record(PREFIX + "rollups.deleted", stats.get(Count.DELETED_ROLLUPS));
    collector.record(PREFIX + "rollups.histograms", stats.get(Count.ROLLUP_HISTOGRAMS));
    collector.record(PREFIX + "points.in_flight", group.pointsInFlight());
    collector.record(PREFIX + "points.in_flight_limit", group.inFlightLimit());
    for (Reason reason : Reason.values()) {
      collector.record(
          PREFIX + "dead_letters", stats.deadLetters(reason), "reason=" + reason.code());
    }
    collector.record(PREFIX + "storage_failures", stats.get(Count.STORAGE_FAILURES));
    collector.record(PREFIX + "lost_messages", stats.get(Count.LOST_MESSAGES));
    collector.record(PREFIX + "lost_answers", stats.get(Count.LOST_ANSWERS));
    collector.record(PREFIX + "wrong_times", stats.get(Count.WRONG_TIMES));
    collector.record(PREFIX + "paused_seconds", stats.pausedSeconds());
    collector.record(PREFIX + "stalled_seconds", group.lag.stalledMillis() / 1000);
    collector.record(PREFIX + "rate", group.rate.get());
    collector.record(PREFIX + "ready", group.notReady() == null ? 1 : 0);
    if (group.config.type == ConsumerType.REPAIR) {
      for (Outcome outcome : Outcome.values()) {
        collector.record(PREFIX + "repairs", stats.repairs(outcome), "outcome=" + outcome.code());
      }
      collector.record(PREFIX + "repairs.rollups", stats.get(Count.REPAIRED_ROLLUPS));
      collector.record(PREFIX + "repairs.rows", stats.get(Count.REPAIR_ROWS));
      collector.record(PREFIX + "repairs.odd_histograms", stats.get(Count.ODD_HISTOGRAMS));
      collector.record(PREFIX + "repairs.waiting", group.waitsFor() == null ? 0 : 1);
    }
    for (PartitionLag partition : group.lag.partitions()) {
      collector.addExtraTag("topic", partition.topic());
      try {
        collector.record(PREFIX + "lag", partition.lag(), "partition=" + partition.partition());
      } finally {
        collector.clearExtraTag("topic");
      }
    }
  }
}
