package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.error.StorageFailures;
import io.tsdbsuite.rollup.hfile.RecordSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import scala.Tuple2;

/**
 * The records of a partition, rolled up as they are taken, and behind them one with the books. For
 * one thread.
 */
final class RowRecords implements Iterator<Tuple2<byte[], byte[]>> {
  private final PartitionRoller.Rolling rolling;
  private final RecordSink sink;
  private final Supplier<byte[]> books;
  private Tuple2<byte[], byte[]> next;
  private boolean ended;

  /**
   * @param rolling gives to {@code sink}; closed at its end
   * @param books called once, when all has been taken
   */
  RowRecords(PartitionRoller.Rolling rolling, RecordSink sink, Supplier<byte[]> books) {
    this.rolling = rolling;
    this.sink = sink;
    this.books = books;
  }

  /**
   * {@inheritDoc}
   *
   * @throws RollupException as {@link RollupTask#run}
   */
  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      next = take();
    }
    return next != null;
  }

  private Tuple2<byte[], byte[]> take() {
    try {
      Tuple2<byte[], byte[]> record = sink.poll();
      boolean more = true;
      while (record == null && more) {
        more = rolling.step();
        record = sink.poll();
      }
      if (record != null) {
        return record;
      }
    } catch (SinkException.Fatal e) {
      throw RollupException.usage(e.getMessage(), e);
    } catch (SinkException e) {
      throw RollupException.outside(e.getMessage(), e);
    } catch (IOException | UncheckedIOException e) {
      throw RollupException.outside(StorageFailures.describe(e), e);
    }
    ended = true;
    rolling.close();
    return sink.books(books.get());
  }

  @Override
  public Tuple2<byte[], byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Tuple2<byte[], byte[]> taken = next;
    next = null;
    return taken;
  }
}
