package io.tsdbsuite.ingest;

import com.google.common.base.Ticker;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.consume.IngestGroup;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.OtherWidths;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import net.opentsdb.core.TSDB;
import org.jspecify.annotations.Nullable;

/**
 * The consumer groups of one TSD, shared by the plugin classes, which the TSD creates
 * independently.
 */
final class IngestService {
  private static final Map<TSDB, IngestService> SERVICES = new WeakHashMap<>();

  private final List<IngestGroup> groups = new ArrayList<>();
  private final boolean ratesChange;
  private final OtherWidths otherWidths;

  private IngestService(IngestConfig config, TSDB tsdb, Clock clock, Ticker ticker) {
    boolean needsRollups = config.groups().stream().anyMatch(group -> group.type().isRollup());
    ElementStore store = new ElementStore(tsdb, clock, needsRollups);
    this.ratesChange = config.ratesChange();
    this.otherWidths = store.scanForOtherWidths();
    for (GroupConfig group : config.groups()) {
      groups.add(new IngestGroup(group, config, store, otherWidths, clock, ticker));
    }
  }

  /**
   * Starts the groups of a TSD.
   *
   * @throws IllegalArgumentException with all problems of the configuration
   */
  static IngestService start(TSDB tsdb) {
    IngestConfig config = IngestConfig.read(tsdb.getConfig().getMap());
    if (config.groups().isEmpty()) {
      throw new IllegalArgumentException(
          "kafka-ingest: opentsdb.conf: KafkaRpcPlugin.groups must name at least one group");
    }
    IngestService service =
        new IngestService(config, tsdb, Clock.systemUTC(), Ticker.systemTicker());
    synchronized (SERVICES) {
      SERVICES.put(tsdb, service);
    }
    service.groups.forEach(IngestGroup::start);
    return service;
  }

  /** The service of a TSD; null when the RPC plugin does not run there. */
  static @Nullable IngestService of(TSDB tsdb) {
    synchronized (SERVICES) {
      return SERVICES.get(tsdb);
    }
  }

  /** Whether rates may be changed over HTTP. */
  boolean ratesChange() {
    return ratesChange;
  }

  /** Cells of other widths found in the rollup tables at the start. */
  OtherWidths otherWidths() {
    return otherWidths;
  }

  List<IngestGroup> groups() {
    return Collections.unmodifiableList(groups);
  }

  /** Stops all groups concurrently. */
  void stop() {
    List<Thread> threads = new ArrayList<>();
    for (IngestGroup group : groups) {
      Thread thread = new Thread(group::stop, "kafka-ingest-" + group.config().name() + "-stop");
      thread.start();
      threads.add(thread);
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
