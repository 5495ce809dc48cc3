package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import java.util.List;

/** Where elements of any type are stored. Thread-safe. */
public interface ElementSink {
  /** For {@link #store}: the time of the write is HBase's own. */
  long NOW = Long.MAX_VALUE;

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
  Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
      throws BadMessageException;

  /** The cells that elements go to: writes to one of them must not be out at the same time. */
  CellIds cells(List<Element> elements);

  /** A batch for one writing thread. */
  RowBatch newBatch();

  /** Sends what the client of HBase holds back for larger batches; does not wait. */
  void flush();
}
