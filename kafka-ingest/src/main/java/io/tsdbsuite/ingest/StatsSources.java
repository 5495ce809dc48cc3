package io.tsdbsuite.ingest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;

/**
 * The classes of the plugin that have statistics in one TSD, which creates them independently.
 * Thread-safe.
 *
 * <p>{@code TSDB.collectStats} would ask them, too, but first reads the numbers of UIDs from HBase,
 * and waits without a time-out: in an outage a few requests would take all of the TSD's HTTP
 * threads.
 */
final class StatsSources {
  private static final Map<TSDB, List<Consumer<StatsCollector>>> SOURCES = new WeakHashMap<>();

  private StatsSources() {}

  /**
   * Adds a source.
   *
   * @param source records its statistics; never blocks
   */
  static void add(TSDB tsdb, Consumer<StatsCollector> source) {
    synchronized (SOURCES) {
      SOURCES.computeIfAbsent(tsdb, key -> new ArrayList<>()).add(source);
    }
  }

  /** Records the statistics of all sources of a TSD. */
  static void collect(TSDB tsdb, StatsCollector collector) {
    List<Consumer<StatsCollector>> sources;
    synchronized (SOURCES) {
      sources = new ArrayList<>(SOURCES.getOrDefault(tsdb, Collections.emptyList()));
    }
    sources.forEach(source -> source.accept(collector));
  }
}
