package io.tsdbsuite.bulk.parallel;

import io.tsdbsuite.bulk.parse.BlockParser;
import io.tsdbsuite.bulk.parse.BlockSource;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.TextBlock;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a part with the help of idle threads. The handler receives the same calls in the same order
 * as from one thread, all from the thread that reads:
 *
 * <pre>
 *   one thread at a time     decompress, cut:  block block block ...
 *   any thread               parse into a batch
 *   the reading thread       hand batches over in order; parse the next block if nobody has
 * </pre>
 *
 * <p>Without idle threads the reading thread parses each block straight into the handler.
 */
public final class BlockPipeline {
  /** Blocks that are cut and not handed over; each has about 0.25 MB of text, and its points. */
  private static final int MOST_BLOCKS = 8;

  private enum State {
    CUT,
    IN_WORK,
    PARSED
  }

  private static final class Slot {
    final TextBlock block = new TextBlock();
    final PointBatch batch = new PointBatch(block);
    State state = State.CUT;
    @Nullable Throwable failure;
  }

  private final IdleThreads threads;
  private final BlockSource source;
  private final Supplier<BlockParser> parsers;
  private final boolean anyOrder;

  // All below are guarded by the lock of the threads.
  private final Deque<Slot> slots = new ArrayDeque<>();
  private final Deque<Slot> freeSlots = new ArrayDeque<>();
  private final Deque<BlockParser> freeParsers = new ArrayDeque<>();
  private boolean cutting;
  private boolean ended;
  private boolean closed;
  private int jobs;
  private @Nullable Throwable failure;

  /**
   * A pipeline of one part.
   *
   * @param parsers makes a parser for a thread
   * @param anyOrder whether blocks can be parsed in any order; otherwise the reading thread parses
   *     them
   */
  public BlockPipeline(
      IdleThreads threads, BlockSource source, Supplier<BlockParser> parsers, boolean anyOrder) {
    this.threads = threads;
    this.source = source;
    this.parsers = parsers;
    this.anyOrder = anyOrder;
  }

  /**
   * Reads to the end of the part, or until the handler stops it. When it returns, no thread uses
   * the source any more.
   *
   * @param from position of the first byte
   * @throws IOException as the source, the parser or the handler throws it
   */
  public void read(Position from, PointHandler handler) throws IOException {
    threads.open(this);
    try {
      handOver(from, handler);
    } finally {
      threads.close(this);
      close();
    }
  }

  private void handOver(Position from, PointHandler handler) throws IOException {
    BlockParser parser = parsers.get();
    Position position = from;
    boolean told = false;
    boolean goesOn = true;
    while (goesOn) {
      Slot slot = next();
      if (slot == null) {
        if (!told) {
          handler.at(position);
        }
        return;
      }
      TextBlock block = slot.block;
      long before = block.linesBefore(position.lines());
      if (slot.state == State.PARSED) {
        slot.batch.replay(handler, before);
        rethrow(slot.failure);
      } else {
        parser.parse(block, before, handler);
      }
      position =
          new Position(
              block.to(), position.lines() + block.lines(), position.points() + block.points());
      boolean tell = !block.isPartial();
      free(slot);
      if (tell) {
        goesOn = handler.at(position);
        told = true;
      }
    }
  }

  /** The next block, parsed or not; does other work until there is one. Null at the end. */
  private @Nullable Slot next() throws IOException {
    Runnable job = jobBeforeNext();
    while (job != null) {
      job.run();
      job = jobBeforeNext();
    }
    synchronized (threads.lock) {
      if (slots.isEmpty()) {
        rethrow(failure);
      }
      return slots.poll();
    }
  }

  /** Work to do until the next block is there; null if it is there, or there is none. */
  private @Nullable Runnable jobBeforeNext() {
    synchronized (threads.lock) {
      while (true) {
        Slot head = slots.peek();
        if (head == null ? ended : head.state != State.IN_WORK) {
          return null;
        }
        Runnable job = job();
        if (job != null) {
          return job;
        }
        try {
          threads.lock.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw JobException.outside("interrupted while reading", e);
        }
      }
    }
  }

  private void free(Slot slot) {
    synchronized (threads.lock) {
      freeSlots.push(slot);
    }
  }

  /** Work that is there; null if there is none now. The caller holds the lock. */
  @Nullable Runnable job() {
    if (closed) {
      return null;
    }
    if (!cutting && !ended && slots.size() < MOST_BLOCKS) {
      Slot slot = freeSlots.isEmpty() ? new Slot() : freeSlots.pop();
      cutting = true;
      jobs++;
      return () -> cut(slot);
    }
    Slot slot = anyOrder ? unparsed() : null;
    if (slot == null) {
      return null;
    }
    slot.state = State.IN_WORK;
    jobs++;
    BlockParser free = freeParsers.poll();
    return () -> parse(slot, free);
  }

  /** The first block that nobody parses; rather not the very next one, for its reader. */
  private @Nullable Slot unparsed() {
    Iterator<Slot> all = slots.iterator();
    Slot head = all.hasNext() ? all.next() : null;
    while (all.hasNext()) {
      Slot slot = all.next();
      if (slot.state == State.CUT) {
        return slot;
      }
    }
    return head != null && head.state == State.CUT ? head : null;
  }

  private void cut(Slot slot) {
    boolean found = false;
    Throwable thrown = null;
    try {
      found = source.next(slot.block);
    } catch (Throwable e) {
      thrown = e;
    }
    synchronized (threads.lock) {
      if (found) {
        slot.state = State.CUT;
        slot.failure = null;
        slots.add(slot);
      } else {
        ended = true;
        failure = thrown;
      }
      cutting = false;
      jobs--;
      threads.lock.notifyAll();
    }
  }

  private void parse(Slot slot, @Nullable BlockParser free) {
    BlockParser parser = free;
    Throwable thrown = null;
    try {
      parser = free == null ? parsers.get() : free;
      slot.batch.clear();
      parser.parse(slot.block, 0, slot.batch);
    } catch (Throwable e) {
      thrown = e;
    }
    synchronized (threads.lock) {
      slot.state = State.PARSED;
      slot.failure = thrown;
      if (parser != null) {
        freeParsers.push(parser);
      }
      jobs--;
      threads.lock.notifyAll();
    }
  }

  /** Waits for the work of other threads. */
  private void close() {
    boolean interrupted = false;
    synchronized (threads.lock) {
      closed = true;
      while (jobs > 0) {
        try {
          threads.lock.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void rethrow(@Nullable Throwable thrown) throws IOException {
    if (thrown instanceof IOException io) {
      throw io;
    }
    if (thrown instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
  }
}
