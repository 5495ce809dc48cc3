package io.tsdbsuite.query.read;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.query.plan.RawReason;
import io.tsdbsuite.query.plan.RollupTables;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import net.opentsdb.stats.StatsCollector;

/** Cells that queries have read: of each rollup table, and of raw data by reason. Thread-safe. */
final class CellCounts {
  private final Map<String, LongAdder> rollups = new LinkedHashMap<>();
  private final Map<RawReason.Kind, LongAdder> raw = new EnumMap<>(RawReason.Kind.class);

  CellCounts(RollupTables tables) {
    for (RollupInterval interval : tables.intervals()) {
      rollups.put(interval.interval(), new LongAdder());
      String packed = tables.packed(interval);
      if (packed != null) {
        rollups.put(packed, new LongAdder());
      }
    }
    for (RawReason.Kind reason : RawReason.Kind.values()) {
      raw.put(reason, new LongAdder());
    }
  }

  /** Those of the table of an interval, or of its packed table: {@code 1h.packed}. */
  LongAdder rollups(String interval) {
    return rollups.getOrDefault(interval, new LongAdder());
  }

  /** Those of the data table. */
  LongAdder raw(RawReason.Kind reason) {
    return raw.getOrDefault(reason, new LongAdder());
  }

  void collectStats(StatsCollector collector, String prefix) {
    rollups.forEach(
        (interval, cells) ->
            collector.record(prefix + "rollup_cells", cells.sum(), "interval=" + interval));
    raw.forEach(
        (reason, cells) ->
            collector.record(prefix + "raw_cells", cells.sum(), "reason=" + reason.tag()));
  }
}
