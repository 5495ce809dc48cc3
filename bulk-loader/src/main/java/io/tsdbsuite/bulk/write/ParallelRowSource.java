package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a range, built by several threads in parts and returned in order. It feeds the single
 * writer of a region when building rows costs more than writing them.
 *
 * <pre>
 *   part 1   made and read      |
 *   part 2   made, waits        |  at most {@code ahead} parts at a time, each with a bounded queue
 *   part 3   begun              |
 *   part 4   not begun
 * </pre>
 *
 * <p>{@link #drain} follows with a batch's last row, so it suits ranges without checkpoints.
 */
public final class ParallelRowSource implements RowSource {
  private static final long BATCH_BYTES = 1L << 20;
  private static final int BATCH_ROWS = 4096;
  private static final int BATCHES = 16;

  private final Rows rows;
  private final List<byte[]> bounds;
  private final ExecutorService pool;
  private final ArrayDeque<OpenPart> parts = new ArrayDeque<>();
  private final Tally tally = new Tally();
  private int opened;
  private Batch batch = new Batch();
  private int at;
  private volatile boolean closed;

  /**
   * @param from first key, inclusive; empty for the beginning
   * @param cuts keys between {@code from} and {@code to}, ascending: the first keys of parts 2, 3,
   *     ...
   * @param to last key, exclusive; empty for the end
   * @param pool a thread for each part that is open
   * @param ahead parts that are open at a time, at least 1; each holds up to 16 MB
   */
  public ParallelRowSource(
      Rows rows, byte[] from, List<byte[]> cuts, byte[] to, ExecutorService pool, int ahead) {
    this.rows = rows;
    this.pool = pool;
    this.bounds = new ArrayList<>();
    bounds.add(from);
    bounds.addAll(cuts);
    bounds.add(to);
    for (int i = 0; i < ahead; i++) {
      begin();
    }
  }

  private void begin() {
    if (opened + 1 < bounds.size()) {
      Part part = new Part(bounds.get(opened), bounds.get(opened + 1));
      opened++;
      parts.add(new OpenPart(part, pool.submit(part)));
    }
  }

  @Override
  public @Nullable EncodedRow next() throws IOException {
    while (at == batch.rows.size()) {
      OpenPart first = parts.peek();
      if (first == null) {
        return null;
      }
      batch = first.part().take();
      at = 0;
      if (batch.last) {
        parts.remove();
        begin();
      }
    }
    EncodedRow row = batch.rows.get(at);
    at++;
    if (at == batch.rows.size()) {
      tally.add(batch.tally);
    }
    return row;
  }

  @Override
  public Tally drain() {
    return tally.drain();
  }

  @Override
  public void close() {
    closed = true;
    for (OpenPart part : parts) {
      part.future().cancel(true);
    }
    parts.clear();
  }

  private record OpenPart(Part part, Future<?> future) {}

  private static final class Batch {
    final List<EncodedRow> rows = new ArrayList<>();
    Tally tally = new Tally();
    boolean last;
    @Nullable Throwable failure;
  }

  private final class Part implements Runnable {
    private final byte[] from;
    private final byte[] to;
    private final BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(BATCHES);

    Part(byte[] from, byte[] to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void run() {
      Batch made = new Batch();
      try (RowSource source = rows.open(from, to)) {
        long bytes = 0;
        for (EncodedRow row = source.next(); row != null && !closed; row = source.next()) {
          made.rows.add(row);
          bytes += row.size();
          if (bytes >= BATCH_BYTES || made.rows.size() == BATCH_ROWS) {
            made.tally = source.drain();
            queue.put(made);
            made = new Batch();
            bytes = 0;
          }
        }
        made.tally = source.drain();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (IOException | RuntimeException | Error e) {
        made.failure = e;
      }
      made.last = true;
      try {
        queue.put(made);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    Batch take() throws IOException {
      Batch taken;
      try {
        taken = queue.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for rows");
      }
      if (taken.failure instanceof IOException e) {
        throw e;
      }
      if (taken.failure instanceof RuntimeException e) {
        throw e;
      }
      if (taken.failure instanceof Error e) {
        throw e;
      }
      if (taken.rows.isEmpty()) {
        tally.add(taken.tally);
      }
      return taken;
    }
  }
}
