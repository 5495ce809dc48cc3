package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.SeriesElement;
import java.io.IOException;
import java.util.List;

/** Stores elements of all types. Thread-safe. */
public interface ElementSink {
  /** Cell timestamp for {@link #store}: HBase sets the time of the write. */
  long NOW = Long.MAX_VALUE;

  /**
   * Stores an element in HBase. Blocks while names without a cached UID are resolved.
   *
   * @param element the element; its tags may be changed
   * @param cellTimestamp timestamp of rollup cells, milliseconds since the epoch, so that a late
   *     retry of an old message does not hide newer values; else {@link #NOW}. Not used for raw
   *     points and histograms. Of a request the time at which it was written to Kafka.
   * @param batch batch of the calling thread; rollups are written when it is sent
   * @return called back when HBase has acknowledged the element, or with the failure; of a request
   *     with its {@link RepairResult}
   * @throws BadMessageException when the element can never be stored
   * @throws IOException when it is not known whether it may be stored: the floors cannot be read
   * @throws RuntimeException when HBase fails; see {@link StorageFailure}
   */
  Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
      throws BadMessageException, IOException;

  /**
   * Frees the memory that is kept until an answer of {@link #store} comes: it counts as lost. It
   * may come all the same.
   */
  default void giveUp(Deferred<Object> answer) {}

  /**
   * What an element counts for in rates and limits, at least 1: its values; of a request the hours
   * to be read.
   */
  default int points(Element element) {
    return element.points();
  }

  /**
   * The heap that the packed parts of an element take until HBase has acknowledged them, at most,
   * bytes.
   */
  default long bytes(Element element) {
    return 0;
  }

  /** Whether rollups of a metric have histograms: then a late {@code Histogram} masks its hour. */
  default boolean hasHistograms(String metric) {
    return false;
  }

  /** Rows of raw points, each of one hour, from which a bucket of a request is computed. */
  default long bucketHours(String interval) {
    return 1;
  }

  /**
   * The TSUID of an element's series in hex, upper case; empty if a name has no UID. Creates none.
   * Blocks while a name that is not in the TSD's cache is looked up.
   *
   * @throws RuntimeException when HBase fails
   */
  default String tsuid(SeriesElement element) {
    return "";
  }

  /** The cells that elements write: two writes to one cell must not be in flight together. */
  CellIds cells(List<Element> elements);

  /** Creates a batch for one writing thread. */
  RowBatch newBatch();

  /** Sends the batches that HBase's client is still filling; does not block. */
  void flush();

  /**
   * Like {@link #flush}; a no-op until HBase has answered what the last such call sent or found
   * waiting. In an outage each flush adds a callback to every call that waits, and a call can have
   * 16,383 of them.
   */
  void flushIfAnswered();
}
