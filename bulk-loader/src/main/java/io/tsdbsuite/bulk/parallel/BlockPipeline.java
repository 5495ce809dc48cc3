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
 * as from one thread, all from the thread that reads.
 *
 * <pre>
 *   one thread at a time     decompress, cut:  block block block ...
 *   any thread               parse into a batch
 *   the reading thread       hand batches over in order; parse the next block if it is not parsed
 * </pre>
 *
 * <ol>
 *   <li>A job is there while fewer than eight blocks are cut: cut the next one; else, if blocks can
 *       be parsed in any order, parse the first one that no thread has, rather not the very next
 *       one.
 *   <li>Idle threads take jobs. So does the reading thread while another one has the next block in
 *       work.
 *   <li>The reading thread replays the batch of the next block, with the lines before it added, or
 *       parses the block straight into the handler: without idle threads each of them.
 *   <li>A block whose points take too much memory in a batch is parsed by the reading thread. After
 *       eight of these one after the other no batch is tried any more.
 *   <li>A failure of a block is thrown when its turn comes, behind the points before it.
 *   <li>At the end the pipeline waits for the jobs that run: then no thread uses the source.
 * </ol>
 */
public final class BlockPipeline {
  /** Blocks that are cut and not handed over; each has about 0.25 MB of text, and its points. */
  private static final int MOST_BLOCKS = 8;

  /** Threads that can have work at the same time. */
  public static final int MOST_THREADS = MOST_BLOCKS + 1;

  /** Blocks too large for a batch, one after the other, after which they are not tried any more. */
  private static final int MOST_TOO_LARGE = 8;

  private enum State {
    CUT,
    IN_WORK,
    PARSED,
    /** Its points and rejects take too much memory in a batch: the reading thread parses it. */
    TOO_LARGE
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
  private int tooLarge;
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
        if (!(slot.failure instanceof Error)) {
          slot.batch.replay(handler, before);
        }
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
    while (true) {
      Runnable job;
      synchronized (threads.lock) {
        job = jobBeforeNext();
        if (job == null) {
          // Under the same lock, or a helper could begin to parse it.
          Slot slot = slots.poll();
          if (slot == null) {
            rethrow(failure);
          }
          // There is room for one block more.
          threads.lock.notifyAll();
          return slot;
        }
      }
      job.run();
    }
  }

  /**
   * Work to do until the next block is there; null if it is there, or there is none. The caller
   * holds the lock.
   */
  private @Nullable Runnable jobBeforeNext() {
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
      Runnable job = () -> cut(slot);
      cutting = true;
      jobs++;
      return job;
    }
    Slot slot = anyOrder && tooLarge < MOST_TOO_LARGE ? unparsed() : null;
    if (slot == null) {
      return null;
    }
    BlockParser free = freeParsers.poll();
    Runnable job = () -> parse(slot, free);
    slot.state = State.IN_WORK;
    jobs++;
    return job;
  }

  /** The first block that no thread parses; rather not the very next one, for its reader. */
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
    BlockParser parser = null;
    Throwable thrown = null;
    State state = State.PARSED;
    try {
      BlockParser own = free == null ? parsers.get() : free;
      slot.batch.clear();
      own.parse(slot.block, 0, slot.batch);
      parser = own;
    } catch (BatchFullException e) {
      slot.batch.clear();
      state = State.TOO_LARGE;
    } catch (Throwable e) {
      thrown = e;
    }
    synchronized (threads.lock) {
      slot.state = state;
      slot.failure = thrown;
      tooLarge = state == State.TOO_LARGE ? tooLarge + 1 : 0;
      jobs--;
      threads.lock.notifyAll();
      if (parser != null) {
        freeParsers.push(parser);
      }
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
