package io.tsdbsuite.ingest;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.consume.IngestGroup;
import io.tsdbsuite.ingest.mask.Floors;
import io.tsdbsuite.ingest.mask.MaskStats;
import io.tsdbsuite.ingest.mask.MaskTable;
import io.tsdbsuite.ingest.mask.MaskWriter;
import io.tsdbsuite.ingest.mask.RawTtl;
import io.tsdbsuite.ingest.mask.RepairedMasks;
import io.tsdbsuite.ingest.publish.RepairRequests;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.OtherWidths;
import io.tsdbsuite.ingest.store.PackedStats;
import io.tsdbsuite.metrics.UiWarning;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import net.opentsdb.core.TSDB;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer groups of one TSD, shared by the plugin classes, which the TSD creates
 * independently.
 */
final class IngestService {
  private static final Logger LOG = LoggerFactory.getLogger(IngestService.class);
  private static final Map<TSDB, IngestService> SERVICES =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The groups; none with {@code tsd.mode = ro}. */
  final List<IngestGroup> groups = new ArrayList<>();

  /** Whether rates may be changed over HTTP. */
  final boolean ratesChange;

  /** Cells of other widths found in the rollup tables at the start. */
  final OtherWidths otherWidths;

  /** Counts the parts of packed tables. */
  final PackedStats packed;

  private final @Nullable MaskWriter masks;

  /** What requests rollups of late points; null if nothing does. */
  final @Nullable RepairRequests requests;

  private IngestService(IngestConfig config, TSDB tsdb, Clock clock, Ticker ticker) {
    this.ratesChange = config.ratesChange;
    if (tsdb.getMode() == TSDB.OperationMode.READONLY) {
      LOG.warn(
          "tsd.mode is ro: this TSD consumes no topic, the groups of opentsdb.conf do not start");
      this.otherWidths = OtherWidths.none();
      this.packed = new PackedStats();
      this.masks = null;
      this.requests = null;
      return;
    }
    boolean needsRollups = config.groups.stream().anyMatch(group -> group.type.isRollup());
    this.masks = maskWriter(config, tsdb, "kafka-ingest-masks", clock, ticker);
    Floors floors = masks == null ? new Floors(null, clock, ticker) : masks.floors();
    ElementStore store = new ElementStore(tsdb, clock, needsRollups, floors);
    this.otherWidths = store.scanForOtherWidths();
    this.packed = store.packed();
    if (needsRollups) {
      store.lookForTables();
    }
    RawTtl ttl = new RawTtl(config.rawTtlSeconds);
    this.requests = RepairRequests.of(config, tsdb, "kafka-ingest-late-requests", floors, ticker);
    RepairedMasks repaired =
        masks == null
            ? null
            : new RepairedMasks(masks.table(), masks.stats(), config.repairDelayMillis(), ticker);
    for (GroupConfig group : config.groups) {
      boolean repairs = group.type == ConsumerType.REPAIR;
      ElementSink sink = repairs ? store.repairs(ttl, clock, repaired) : store;
      groups.add(
          new IngestGroup(
              group,
              store,
              sink,
              otherWidths,
              this::rawPointsNotStoredBefore,
              masks,
              requests,
              clock,
              ticker));
    }
  }

  /** Writes masks in a thread of this name; null if there is no coverage. */
  static @Nullable MaskWriter maskWriter(
      IngestConfig config, TSDB tsdb, String name, Clock clock, Ticker ticker) {
    if (config.coverageTable.isEmpty()) {
      return null;
    }
    MaskTable table = new MaskTable(tsdb.getClient(), config.coverageTable);
    return new MaskWriter(
        name,
        table,
        config.maskLimits,
        new RawTtl(config.rawTtlSeconds),
        config.ackTimeoutMillis,
        new Floors(table, clock, ticker),
        ticker);
  }

  /** Stops something in a thread of its own: called back when it has stopped. */
  static Deferred<Object> stop(String thread, Runnable work) {
    Deferred<Object> done = new Deferred<>();
    new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                LOG.error("kafka-ingest did not stop cleanly", e);
              } finally {
                done.callback(null);
              }
            },
            thread)
        .start();
    return done;
  }

  private @Nullable String rawPointsNotStoredBefore(long millis) {
    for (IngestGroup group : groups) {
      String reason = group.config.type.isRaw() ? group.notStoredBefore(millis) : null;
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  /**
   * Starts the groups of a TSD; with {@code tsd.mode = ro} none, since they would write.
   *
   * @throws IllegalArgumentException with all problems of the configuration
   */
  static IngestService start(TSDB tsdb) {
    UiWarning.log(tsdb, LOG);
    IngestConfig config = IngestConfig.read(tsdb.getConfig().getMap());
    IngestService service =
        new IngestService(config, tsdb, Clock.systemUTC(), Ticker.systemTicker());
    SERVICES.put(tsdb, service);
    if (service.masks != null) {
      service.masks.look();
    }
    service.groups.forEach(IngestGroup::start);
    return service;
  }

  /** The service of a TSD; null when the RPC plugin does not run there. */
  static @Nullable IngestService of(TSDB tsdb) {
    return SERVICES.get(tsdb);
  }

  /** Counters of masks; null if there is no coverage. */
  @Nullable MaskStats maskStats() {
    return masks == null ? null : masks.stats();
  }

  /** Stops all groups concurrently. */
  void stop() {
    List<Thread> threads = new ArrayList<>();
    for (IngestGroup group : groups) {
      Thread thread = new Thread(group::stop, "kafka-ingest-" + group.config.name + "-stop");
      thread.start();
      threads.add(thread);
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
      if (masks != null) {
        masks.close();
      }
      if (requests != null) {
        requests.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
