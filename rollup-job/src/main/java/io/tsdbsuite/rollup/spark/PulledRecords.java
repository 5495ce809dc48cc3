package io.tsdbsuite.rollup.spark;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.sink.SinkException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * An iterator that produces the records of a task on demand, followed by one record with the task's
 * books. For one thread.
 */
public final class PulledRecords implements Iterator<Tuple2<byte[], byte[]>> {
  /** Produces records. */
  @FunctionalInterface
  public interface Step {
    /** Produces any number of records; returns false when nothing is left. */
    boolean run() throws IOException, SinkException;
  }

  /**
   * The source of the records.
   *
   * @param books called once, when {@code input} is closed
   */
  private record Source(Step step, Closeable input, Supplier<Tuple2<byte[], byte[]>> books) {}

  private final Queue<Tuple2<byte[], byte[]>> queue = new ArrayDeque<>();
  private @Nullable Source source;
  private boolean ended;

  /** Takes a record from the source. */
  public void add(byte[] key, byte[] value) {
    add(new Tuple2<>(key, value));
  }

  /** Takes a record from the source. */
  public void add(Tuple2<byte[], byte[]> record) {
    queue.add(record);
  }

  /**
   * Sets the source of the records.
   *
   * @param next adds records to this iterator
   * @param from the input of {@code next}
   * @param context task context; {@code from} is closed when the task ends, at the latest
   * @param last called once, when {@code from} is closed
   */
  public Iterator<Tuple2<byte[], byte[]>> from(
      Step next, Closeable from, TaskContext context, Supplier<Tuple2<byte[], byte[]>> last) {
    Source set = new Source(next, from, last);
    source = set;
    TaskContext unused =
        context.addTaskCompletionListener((TaskCompletionListener) end -> close(set));
    return this;
  }

  /**
   * {@inheritDoc}
   *
   * @throws JobException as {@link WorkFailures#of} translates an exception of the source
   */
  @Override
  public boolean hasNext() {
    try {
      while (queue.isEmpty() && !ended) {
        Source open = Objects.requireNonNull(source, "from is called first");
        if (!open.step.run()) {
          ended = true;
          close(open);
          queue.add(open.books.get());
        }
      }
      return !queue.isEmpty();
    } catch (SinkException | IOException | UncheckedIOException e) {
      throw WorkFailures.of(e);
    }
  }

  @Override
  public Tuple2<byte[], byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return queue.remove();
  }

  private static void close(Source source) {
    try {
      source.input.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
