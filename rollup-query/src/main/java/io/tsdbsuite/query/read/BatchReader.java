package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.limit.BatchQueue;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryTasks;
import java.util.List;
import java.util.concurrent.Executor;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one scanner: HBase reads one while another is decoded. They are decoded in their
 * order, one at a time, and there are two at most.
 *
 * <pre>
 *   thread of HBase's client   1 arrives, asks for 2     2 arrives, asks for 3
 *   executor                   |== decodes 1 ==|         |== decodes 2 ==|
 * </pre>
 *
 * <p>A thread of HBase's client asks: it is there anyway, and to wake it from another one takes
 * longer than many a batch. Thread-safe.
 */
final class BatchReader {
  private final Source source;
  private final Target target;
  private final QueryContext context;
  private final Executor executor;
  private final BatchQueue queue;
  private volatile boolean stopped;

  // The rest is guarded by this object.
  /** Whether HBase has not answered yet. */
  private boolean asked;

  /** Whether a batch is being decoded. */
  private boolean busy;

  /** The batch that has come meanwhile: then no further one is asked for. */
  private @Nullable List<? extends List<KeyValue>> next;

  /** Whether the batch that is being decoded waits for what must come before. */
  private boolean waits;

  /** Whether there are no more batches. */
  private boolean ended;

  private boolean closed;

  /** A scanner. */
  interface Source {
    /** The next batch; null after the last one. */
    Deferred<? extends List<? extends List<KeyValue>>> next();

    /** Closes it. Called once, and not while a batch is asked for. */
    void close();
  }

  /** Decodes batches. What it throws ends the reading. */
  interface Target {
    /**
     * Looks at a batch, in the executor.
     *
     * @return null if it can be decoded now; else what must come before
     */
    @Nullable Deferred<?> look(List<? extends List<KeyValue>> batch);

    /** Decodes the batch, in the executor. */
    void decode(List<? extends List<KeyValue>> batch);

    /** A batch has come, or null: the end. In the thread of HBase's client. */
    void answered(@Nullable List<? extends List<KeyValue>> batch);

    /** All batches are decoded. Called once, if the reading has not failed and was not stopped. */
    void ended();

    /** The reading has failed. Called once, unless it was stopped. */
    void failed(Exception failure);
  }

  BatchReader(
      Source source, Target target, QueryContext context, Executor executor, BatchQueue queue) {
    this.source = source;
    this.target = target;
    this.context = context;
    this.executor = executor;
    this.queue = queue;
  }

  /** Asks for the next batch, at once or when there are fewer that wait. */
  void ask() {
    queue.ask(context.cells(), () -> QueryTasks.guard(context, this::request));
  }

  /** Ends after the batch that is being decoded: HBase may never bring what others wait for. */
  void stop() {
    stopped = true;
    if (endWait()) {
      decoded();
    }
  }

  private void request() {
    boolean wanted;
    synchronized (this) {
      wanted = !stopped;
      asked = wanted;
    }
    if (!wanted) {
      close();
      return;
    }
    try {
      source
          .next()
          .addCallbacks(
              batch -> {
                QueryTasks.guard(context, () -> arrived(batch));
                return null;
              },
              (Exception failure) -> {
                QueryTasks.guard(context, () -> notArrived(failure));
                return null;
              });
    } catch (RuntimeException e) {
      notArrived(e);
    }
  }

  private void notArrived(Exception failure) {
    synchronized (this) {
      asked = false;
    }
    fail(failure);
  }

  private void arrived(@Nullable List<? extends List<KeyValue>> batch) {
    try {
      target.answered(batch);
    } catch (RuntimeException e) {
      notArrived(e);
      return;
    }
    if (batch != null) {
      queue.arrived();
    }
    boolean later;
    synchronized (this) {
      asked = false;
      later = busy;
      ended = batch == null;
      if (busy) {
        next = batch;
      }
      busy |= batch != null;
    }
    if (later) {
      return;
    }
    if (batch == null) {
      end();
    } else {
      begin(batch);
    }
  }

  private void begin(List<? extends List<KeyValue>> batch) {
    ask();
    execute(() -> stopped || looked(batch));
  }

  /** Whether the batch is done; else it will be decoded later. */
  private boolean looked(List<? extends List<KeyValue>> batch) {
    Deferred<?> before = target.look(batch);
    if (before == null) {
      target.decode(batch);
      return true;
    }
    synchronized (this) {
      waits = true;
    }
    before.addCallbacks(
        done -> {
          if (endWait()) {
            QueryTasks.guard(
                context,
                () ->
                    execute(
                        () -> {
                          if (!stopped) {
                            target.decode(batch);
                          }
                          return true;
                        }));
          }
          return null;
        },
        (Exception failure) -> {
          if (endWait()) {
            QueryTasks.guard(context, () -> failBatch(failure));
          }
          return null;
        });
    // Whoever has stopped the reading meanwhile has not seen that the batch waits.
    return stopped && endWait();
  }

  /** Ends the wait of a batch. Whether one has waited: then the caller must go on with it. */
  private synchronized boolean endWait() {
    boolean waited = waits;
    waits = false;
    return waited;
  }

  /** Work on a batch. */
  private interface Work {
    /** Whether the batch is done. */
    boolean run();
  }

  private void execute(Work work) {
    try {
      executor.execute(() -> QueryTasks.guard(context, () -> run(work)));
    } catch (RuntimeException e) {
      failBatch(e);
    } catch (Error e) {
      // No thread can be started. The batch must not count for ever.
      stopped = true;
      decoded();
      throw e;
    }
  }

  private void run(Work work) {
    boolean done = true;
    try {
      done = work.run();
    } catch (RuntimeException e) {
      // Before the batch is given back: the others without it are no answer.
      fail(e);
    } catch (Error e) {
      stopped = true;
      throw e;
    } finally {
      if (done) {
        endWait();
        decoded();
      }
    }
  }

  private void failBatch(Exception failure) {
    fail(failure);
    decoded();
  }

  /** The batch is decoded, or not wanted any more. */
  private void decoded() {
    queue.done();
    List<? extends List<KeyValue>> batch;
    boolean isLast;
    synchronized (this) {
      batch = next;
      next = null;
      busy = batch != null;
      isLast = batch == null && ended;
    }
    if (batch != null) {
      begin(batch);
    } else if (isLast) {
      end();
    }
  }

  private void end() {
    close();
    if (!stopped) {
      target.ended();
    }
  }

  private void fail(Exception failure) {
    boolean first;
    synchronized (this) {
      first = !stopped;
      stopped = true;
    }
    close();
    if (first) {
      target.failed(failure);
    }
  }

  /** Closes the scanner, unless it has been asked: then the answer comes first. */
  private void close() {
    synchronized (this) {
      if (asked || closed) {
        return;
      }
      closed = true;
    }
    source.close();
  }
}
