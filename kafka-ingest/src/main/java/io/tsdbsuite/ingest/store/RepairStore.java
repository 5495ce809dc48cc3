package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.ingest.mask.MaskRule;
import io.tsdbsuite.ingest.mask.RawTtl;
import io.tsdbsuite.ingest.mask.RepairedMasks;
import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupRequestElement;
import io.tsdbsuite.metrics.plugin.PluginThreads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import net.opentsdb.core.SeriesRowKeys;
import net.opentsdb.uid.NoSuchUniqueName;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Carries out requests for rollups: reads the raw rows of the series, computes the rollups, and
 * writes them with the time of reading as the cells' timestamp, so that the newest reading wins. A
 * request of all intervals does so for all hours of the series that are masked and that it reads
 * anyway, and then removes their masks: other requests of the day may have left the day to it.
 * Thread-safe.
 *
 * <p>The rows of a series and hour can lie in several salt buckets: the number of buckets was
 * raised, or an import of OpenTSDB 2.2 wrote all of its rows to bucket 0. A TSD scans all buckets,
 * so the row of each is read, and they are merged as one row.
 *
 * <p>The names of the series are resolved in the calling thread. The hours of a bucket are read one
 * after the other, and merged in threads of their own: those of HBase's client serve the whole TSD.
 */
final class RepairStore extends ElementStore {
  private static final byte[] FAMILY = RowKey.family();
  private static final String THREADS = "kafka-ingest-repair";

  private final HBaseClient client;
  private final RawTtl ttl;
  private final Clock clock;
  private final StorageSchema storage;
  private final byte[] table;
  private final @Nullable RepairedMasks masks;
  private final Executor executor =
      PluginThreads.pool(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), THREADS);
  private final RowMemory memory = new RowMemory(executor);

  /** Of all repairs: each has a batch, and they are answered together. */
  private final PartFlush partFlush = newPartFlush();

  /**
   * Creates a store beside that of the TSD's other groups.
   *
   * @throws IllegalArgumentException with all problems when the TSD's configuration of its tables
   *     is unusable
   */
  RepairStore(ElementStore others, RawTtl ttl, Clock clock, @Nullable RepairedMasks masks) {
    super(others);
    this.masks = masks;
    this.client = tsdb.getClient();
    this.ttl = ttl;
    this.clock = clock;
    this.storage = storage(tsdb.getConfig().getMap());
    this.table = storage.dataTable().getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * The layout of the tables.
   *
   * @throws IllegalArgumentException with all problems when the TSD's configuration is unusable
   */
  static StorageSchema storage(Map<String, String> conf) {
    TsdConfig config = TsdConfig.parse("");
    for (String key : StorageSchema.KEYS) {
      String value = conf.get(key);
      if (value != null) {
        config = config.with(key, value);
      }
    }
    return StorageSchema.from(config);
  }

  @Override
  public Deferred<Object> store(Element element, long requestedAt, RowBatch batch)
      throws BadMessageException, IOException {
    if (element instanceof BadElement) {
      throw ((BadElement) element).problem();
    }
    if (!(element instanceof RollupRequestElement)) {
      throw new BadMessageException(
          Reason.UNKNOWN_TYPE,
          "type must be RollupRequest in a group with consumerType REPAIR, found another one");
    }
    RollupRequestElement request = (RollupRequestElement) element;
    names.require(request);
    RepairPlan plan = new RepairPlan(request, rollups.requireSchema(), requestedAt);
    if (plan.isEmpty()) {
      return Deferred.fromResult(RepairResult.nothing(RepairResult.Outcome.NOT_ENDED));
    }
    ttl.require(plan.firstRow(), clock.millis());
    requireAboveFloor(request, plan);
    byte[] row;
    try {
      row = SeriesRowKeys.existing(tsdb, request.metric(), request.tags());
    } catch (NoSuchUniqueName e) {
      return Deferred.fromResult(RepairResult.nothing(RepairResult.Outcome.UNKNOWN_SERIES));
    }
    byte[] rollupRow = rollups.row(request);
    Repair repair = new Repair(request, plan, row, rollupRow);
    memory.reserve(repair.done, repair::start);
    return repair.done;
  }

  /** A floor is a midnight, and all buckets of a request lie in a day: it is above or below. */
  private void requireAboveFloor(RollupRequestElement request, RepairPlan plan)
      throws BadMessageException, IOException {
    floors.require("the first row of raw points", request.metric(), plan.firstRow());
  }

  @Override
  public void giveUp(Deferred<Object> answer) {
    memory.release(answer);
  }

  /** A request that is carried out: used by one thread after the other. */
  private final class Repair {
    private final RollupRequestElement request;
    private final RepairPlan plan;
    private final byte[] row;
    private final byte[] rollupRow;
    private final Deferred<Object> done = new Deferred<>();

    /** Timestamp of the rollups' cells. */
    private long readAt;

    /** Whether it had its memory whenever rows had been read: it was not given up. */
    private boolean isAwaited = true;

    /** The masks that are to be removed, by hour. */
    private Map<Long, Map<String, Long>> masked = Collections.emptyMap();

    Repair(RollupRequestElement request, RepairPlan plan, byte[] row, byte[] rollupRow) {
      this.request = request;
      this.plan = plan;
      this.row = row;
      this.rollupRow = rollupRow;
    }

    void start() {
      try {
        long until = plan.removesUntil();
        if (masks == null
            || until == Long.MIN_VALUE
            // Else a point of the last hour may come without a mask.
            || !MaskRule.isLate(plan.lastHour(), clock.millis())
            || !rollups.requireSchema().repairsAll(request.intervals())) {
          read();
          return;
        }
        String tsuid = TsuidLayout.hex(SeriesRowKeys.tsuid(row));
        masks
            .read(plan.repairable(), clock.millis(), until, request.metric(), tsuid)
            .addCallback(
                found -> {
                  masked = found;
                  read();
                  return null;
                });
      } catch (Throwable e) {
        end(e);
      }
    }

    private void read() {
      try {
        readAt = RepairedMasks.asOf(clock.millis(), masked);
        Set<Long> hours = new TreeSet<>(masked.keySet());
        hours.add(plan.hour());
        String metric = request.metric();
        RollupSchema schema = rollups.requireSchema();
        Selection selection = schema.selection(metric);
        read(
            new RepairSums(
                plan, hours, storage, metric, selection, schema.codecs(), RowMemory.LIMIT));
      } catch (Throwable e) {
        end(e);
      }
    }

    /**
     * Reads the rows of the next hour, without blocking.
     *
     * @param sums take as much memory as the rows, so no field refers to them: they must be gone
     *     when the memory is released, but for that of histograms long before HBase acknowledges
     *     the rollups
     */
    private void read(RepairSums sums) {
      try {
        long base = plan.firstRow() + (long) sums.hours() * RepairPlan.HOUR;
        List<Deferred<ArrayList<KeyValue>>> rows = new ArrayList<>();
        for (int bucket = 0; bucket < SeriesRowKeys.buckets(); bucket++) {
          byte[] key = SeriesRowKeys.inBucket(row, bucket, base);
          rows.add(client.get(new GetRequest(table, key, FAMILY)));
        }
        Deferred.groupInOrder(rows)
            .addCallbacks(
                read -> {
                  mergeLater(read, sums);
                  return null;
                },
                (Exception failure) -> {
                  end(failure);
                  return null;
                });
      } catch (Throwable e) {
        end(e);
      }
    }

    /** A Deferred does not catch an Error, for example that no thread can be started. */
    private void mergeLater(List<? extends List<KeyValue>> rows, RepairSums sums) {
      try {
        executor.execute(() -> merge(rows, sums));
      } catch (Throwable e) {
        end(e);
      }
    }

    private void merge(List<? extends List<KeyValue>> rows, RepairSums sums) {
      try {
        isAwaited &= memory.read(done, RowMemory.bytes(rows) + sums.bytes());
        sums.add(rows);
        if (sums.hours() < plan.hours()) {
          read(sums);
          return;
        }
        List<RepairSums.Bucket> buckets = sums.buckets();
        // A window may prove what the histogram was before.
        masked.keySet().removeIf(sums::isOdd);
        Set<Long> full = new HashSet<>(masked.keySet());
        full.removeIf(hour -> !sums.isFull(hour));
        // Else points may have been deleted while the rows were read.
        requireAboveFloor(request, plan);
        // Nothing would end the reservation of a repair that was given up.
        memory.keep(done, isAwaited ? sums.histogramBytes() + packedBytes(buckets) : 0);
        write(buckets, full, sums.odd());
      } catch (Throwable e) {
        end(e);
      }
    }

    /**
     * Writes the rollups.
     *
     * @param full those masked hours of which each bucket has points or histograms
     */
    private void write(List<RepairSums.Bucket> buckets, Set<Long> full, int odd)
        throws BadMessageException {
      int rows = plan.hours() * SeriesRowKeys.buckets();
      RepairResult result = RepairResult.written(rows, buckets, odd);
      // The batch of the calling thread is not for this thread.
      RowBatch batch = newBatch(partFlush);
      List<Deferred<Object>> answers = new ArrayList<>(buckets.size());
      for (RepairSums.Bucket bucket : buckets) {
        answers.add(
            rollups.store(
                request, rollupRow, bucket.target, bucket.start, bucket.rollup, readAt, batch));
      }
      batch.send();
      Deferred.group(answers)
          .addCallbackDeferring(all -> unmask(full))
          .addCallback(all -> result)
          .addBoth(this::answer);
    }

    private long packedBytes(List<RepairSums.Bucket> buckets) {
      long bytes = 0;
      for (RepairSums.Bucket bucket : buckets) {
        PackedTable packed = bucket.target.packed;
        bytes += packed == null ? 0 : packed.bytes(bucket.values());
      }
      return bytes;
    }

    private Deferred<Object> unmask(Set<Long> full) throws BadMessageException {
      RepairedMasks from = masks;
      List<Deferred<Object>> answers = new ArrayList<>();
      String metric = request.metric();
      RollupSchema schema = rollups.requireSchema();
      Selection written = schema.selection(metric);
      if (from != null && !floors.provesOthers(metric, level -> schema.writes(written, level))) {
        masked.forEach(
            (hour, cells) -> answers.add(from.remove(hour, metric, cells, full.contains(hour))));
      }
      return Deferred.group(answers).addCallback((Callback<Object, ArrayList<Object>>) all -> "");
    }

    private @Nullable Object answer(@Nullable Object answer) {
      memory.release(done);
      done.callback(answer);
      return null;
    }

    private void end(Throwable failure) {
      memory.release(done);
      // A Deferred takes only an Exception as a failure.
      done.callback(failure instanceof Exception ? failure : new RuntimeException(failure));
    }
  }

  @Override
  public int points(Element element) {
    return element instanceof RollupRequestElement
        ? hours((RollupRequestElement) element)
        : element.points();
  }

  private int hours(RollupRequestElement request) {
    try {
      return new RepairPlan(request, rollups.requireSchema(), Long.MAX_VALUE).hours();
    } catch (BadMessageException e) {
      // It is refused before anything is read.
      return 1;
    }
  }

  @Override
  public long bucketHours(String interval) {
    return rollups.bucketHours(interval);
  }
}
