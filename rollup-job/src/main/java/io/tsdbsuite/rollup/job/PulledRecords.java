package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.error.StorageFailures;
import io.tsdbsuite.rollup.sink.SinkException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import scala.Tuple2;

/**
 * The records of a task that somebody takes one by one, and behind them one with the task's books.
 * For one thread.
 */
final class PulledRecords implements Iterator<Tuple2<byte[], byte[]>> {
  /** Makes records, some with each call. */
  interface Source extends Closeable {
    /** Answers false when nothing is left. */
    boolean step() throws IOException, SinkException;
  }

  private final Queue<Tuple2<byte[], byte[]>> queue = new ArrayDeque<>();
  private Source source;
  private Supplier<Tuple2<byte[], byte[]>> books;
  private boolean ended;

  PulledRecords() {}

  /** Takes a record from the source. */
  void add(byte[] key, byte[] value) {
    queue.add(new Tuple2<>(key, value));
  }

  /**
   * Says where records come from.
   *
   * @param context at whose end the source is closed at the latest
   * @param last called once, when the source is closed
   */
  Iterator<Tuple2<byte[], byte[]>> from(
      Source from, TaskContext context, Supplier<Tuple2<byte[], byte[]>> last) {
    source = from;
    books = last;
    TaskContext unused = context.addTaskCompletionListener((TaskCompletionListener) end -> close());
    return this;
  }

  /**
   * {@inheritDoc}
   *
   * @throws RollupException as {@link RollupTask#run}
   */
  @Override
  public boolean hasNext() {
    try {
      while (queue.isEmpty() && !ended) {
        if (!source.step()) {
          ended = true;
          close();
          queue.add(books.get());
        }
      }
      return !queue.isEmpty();
    } catch (SinkException e) {
      throw RollupException.outside(e.getMessage(), e);
    } catch (IOException | UncheckedIOException e) {
      throw RollupException.outside(StorageFailures.describe(e), e);
    }
  }

  @Override
  public Tuple2<byte[], byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return queue.remove();
  }

  private void close() {
    try {
      source.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
