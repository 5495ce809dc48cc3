package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupRequestElement;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.SeriesRowKeys;
import net.opentsdb.core.TSDB;
import net.opentsdb.uid.NoSuchUniqueName;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;

/**
 * Carries out requests for rollups: reads the raw rows of the series, computes the rollups, and
 * writes them with the time of reading as the cells' timestamp, so that the newest reading wins.
 * Thread-safe.
 *
 * <p>The names of the series are resolved in the calling thread. The rows are merged in the thread
 * of HBase's client that receives the last of them.
 */
final class RepairStore implements ElementSink {
  private static final byte[] FAMILY = {'t'};

  private final TSDB tsdb;
  private final HBaseClient client;
  private final ElementStore store;
  private final RollupWriter rollups;
  private final RawTtl ttl;
  private final Clock clock;
  private final StorageSchema storage;
  private final byte[] table;

  /**
   * Creates a store beside the store of the TSD's other groups.
   *
   * @throws IllegalArgumentException with all problems when the TSD's configuration of its tables
   *     is unusable
   */
  RepairStore(TSDB tsdb, ElementStore store, RollupWriter rollups, RawTtl ttl, Clock clock) {
    this.tsdb = tsdb;
    this.client = tsdb.getClient();
    this.store = store;
    this.rollups = rollups;
    this.ttl = ttl;
    this.clock = clock;
    this.storage = storage(tsdb.getConfig().getMap());
    this.table = storage.dataTable().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static StorageSchema storage(Map<String, String> conf) {
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
      throws BadMessageException {
    if (element instanceof BadElement) {
      throw ((BadElement) element).problem();
    }
    if (!(element instanceof RollupRequestElement)) {
      throw new BadMessageException(
          Reason.UNKNOWN_TYPE,
          "type must be RollupRequest in a group with consumerType REPAIR, found another one");
    }
    RollupRequestElement request = (RollupRequestElement) element;
    Latin1NameCheck.require(request);
    RepairPlan plan = new RepairPlan(request, rollups.requireSchema(), requestedAt);
    if (plan.isEmpty()) {
      return Deferred.fromResult(RepairResult.nothing(RepairResult.Outcome.NOT_ENDED));
    }
    ttl.require(plan.firstRow(), clock.millis());
    byte[] row;
    try {
      row = SeriesRowKeys.existing(tsdb, request.metric(), request.tags());
    } catch (NoSuchUniqueName e) {
      return Deferred.fromResult(RepairResult.nothing(RepairResult.Outcome.UNKNOWN_SERIES));
    }
    byte[] rollupRow = rollups.row(request);
    return repair(request, plan, row, rollupRow);
  }

  private Deferred<Object> repair(
      RollupRequestElement request, RepairPlan plan, byte[] row, byte[] rollupRow) {
    long readAt = clock.millis();
    List<Deferred<ArrayList<KeyValue>>> rows = new ArrayList<>(plan.rows());
    for (int i = 0; i < plan.rows(); i++) {
      byte[] key = SeriesRowKeys.at(row, plan.firstRow() + (long) i * RepairPlan.HOUR);
      rows.add(client.get(new GetRequest(table, key, FAMILY)));
    }
    return Deferred.groupInOrder(rows)
        .addCallbackDeferring(read -> write(request, plan, rollupRow, read, readAt));
  }

  private Deferred<Object> write(
      RollupRequestElement request,
      RepairPlan plan,
      byte[] rollupRow,
      List<? extends List<KeyValue>> rows,
      long readAt)
      throws BadMessageException {
    List<RepairSums.Bucket> buckets = new RepairSums(plan, storage).of(rows);
    RepairResult result = RepairResult.written(rows.size(), buckets.size());
    // The batch of the calling thread is not for this thread.
    RowBatch batch = store.newBatch();
    List<Deferred<Object>> answers = new ArrayList<>(buckets.size());
    for (RepairSums.Bucket bucket : buckets) {
      answers.add(
          rollups.store(
              request, rollupRow, bucket.target, bucket.start, bucket.values, readAt, batch));
    }
    batch.send();
    return Deferred.group(answers).addCallback(all -> result);
  }

  @Override
  public int points(Element element) {
    return element instanceof RollupRequestElement
        ? rows((RollupRequestElement) element)
        : element.points();
  }

  private int rows(RollupRequestElement request) {
    for (String interval : request.intervals()) {
      if (rollups.isLongerThanRow(interval)) {
        return RepairPlan.DAY_ROWS;
      }
    }
    return 1;
  }

  @Override
  public boolean needsDay(String interval) {
    return rollups.isLongerThanRow(interval);
  }

  @Override
  public CellIds cells(List<Element> elements) {
    return store.cells(elements);
  }

  @Override
  public RowBatch newBatch() {
    return store.newBatch();
  }

  @Override
  public void flush() {
    store.flush();
  }

  @Override
  public void flushIfAnswered() {
    store.flushIfAnswered();
  }
}
