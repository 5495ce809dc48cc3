package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.message.AggregatePoint;
import io.tsdbsuite.ingest.message.BadElement;
import io.tsdbsuite.ingest.message.BadMessageException;
import io.tsdbsuite.ingest.message.Element;
import io.tsdbsuite.ingest.message.HistogramPoint;
import io.tsdbsuite.ingest.message.MetricPoint;
import io.tsdbsuite.ingest.message.RollupPoint;
import net.opentsdb.core.TSDB;

/** Stores elements of any type through the TSD. Thread-safe. */
public final class ElementStore {
  /** For {@link #store}: the time of the write is HBase's own. */
  public static final long NOW = Long.MAX_VALUE;

  private final TSDB tsdb;
  private final RawWriter raw;
  private final RollupWriter rollups;
  private final HistogramWriter histograms;

  /**
   * Takes the configuration over from the TSD.
   *
   * @throws IllegalArgumentException with all problems when rollups are on and their configuration
   *     cannot be used
   */
  public ElementStore(TSDB tsdb) {
    this.tsdb = tsdb;
    this.raw = new RawWriter(tsdb);
    this.rollups = new RollupWriter(tsdb);
    this.histograms = new HistogramWriter(tsdb);
  }

  /**
   * Hands an element to HBase. Blocks while names without a cached UID are resolved.
   *
   * @param element what to store; its tags may be changed
   * @param cellTimestamp of rollup cells, milliseconds since the epoch, so that an old message that
   *     is tried late does not hide a newer one; {@link #NOW} else. Raw points and histograms are
   *     written as the TSD writes them.
   * @param batch of the calling thread; what is rollups waits in it until it is sent
   * @return called back once HBase has acknowledged all of it, or with the failure
   * @throws BadMessageException when it can never be stored
   * @throws RuntimeException when HBase fails; see {@link StorageFailure}
   */
  public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
      throws BadMessageException {
    if (element instanceof MetricPoint) {
      return raw.store((MetricPoint) element);
    }
    if (element instanceof RollupPoint) {
      return rollups.store((RollupPoint) element, cellTimestamp, batch);
    }
    if (element instanceof AggregatePoint) {
      return rollups.store((AggregatePoint) element, cellTimestamp, batch);
    }
    if (element instanceof HistogramPoint) {
      return histograms.store((HistogramPoint) element);
    }
    throw ((BadElement) element).problem();
  }

  /** A batch for one writing thread. */
  public RowBatch newBatch() {
    return new RowBatch(tsdb.getClient());
  }

  /** Sends what the client of HBase holds back for larger batches; does not wait. */
  public void flush() {
    tsdb.getClient().flush();
  }
}
