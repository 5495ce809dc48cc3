package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * When the next write of each series is due, and its points since the last one. Thread-safe.
 *
 * <pre>
 *   Caffeine   metric, stripe of the hash: Block            weight: its series
 *   Block      | tags ... | state 4 | points 8 | tags ... | state 4 | points 8 | ...
 *   state      in flight, marks of the caller, frequency, owed, due second
 *
 *   touch -- due -- claim -- write to HBase -+- settle: due again later
 *                                            +- giveBack: the points return, owed
 * </pre>
 *
 * <ol>
 *   <li>{@link #touch} finds block and slot without a lock, adds the point and allocates nothing. A
 *       series that is not there takes the block's lock; where the block is full or was sealed
 *       meanwhile, Caffeine's lock of its key: there the block grows, is split into stripes, or
 *       drops its coldest series.
 *   <li>A series is due with its first point, and again at the second given to {@link #settle} or
 *       {@link #giveBack}. {@link #claim} takes it and its points for one writer.
 *   <li>A due series that finds no writer stays due: its next point or {@link #sweep} finds it. So
 *       an outage takes no memory. {@link #owe} makes the sweep report it without a further point.
 *   <li>A thread that takes a block out of use seals it, by a negative number in the points of each
 *       slot. A thread that then adds a point finds it, and looks the series up again.
 *   <li>Series that leave with points or owed go to {@link RemovedSeries}.
 * </ol>
 *
 * <p>Counts are exact: a point that {@link #touch} has taken is in exactly one {@link Claim}, or
 * goes to {@link RemovedSeries}, regardless of concurrent evictions, sweeps and drains. So is a
 * series that is {@linkplain #owe owed}. Seconds count from any fixed start and may be up to 30
 * days ahead of now.
 */
@SuppressWarnings("DoNotCallSuggester") // Stubs.
public final class SeriesCache {
  private final Probes probes;
  private final RemovedSeries removed;
  private final CapacityPolicy capacity;
  private final EvictedBlocks evicted;
  private final Blocks blocks;
  private final Sweeper sweeper;
  private final LongAdder misses = new LongAdder();

  /** Makes an empty cache. */
  public SeriesCache(CacheSettings settings, RemovedSeries removed) {
    this.probes = new Probes(settings.metricWidth());
    this.removed = removed;
    this.capacity = new CapacityPolicy(settings.maxSeries());
    this.evicted = new EvictedBlocks(settings.metricWidth());
    this.blocks = new Blocks(settings, capacity, evicted);
    this.sweeper = new Sweeper(blocks, capacity, evicted, settings.metricWidth());
  }

  /**
   * Takes one point of a series; allocates nothing while the series is in the cache.
   *
   * @param tsuid metric and tags, longer than the metric; not kept
   * @param now seconds
   * @return whether a write is due
   * @throws IllegalArgumentException when the TSUID has no tags, or is longer than a row key can be
   */
  public TouchResult touch(byte[] tsuid, int now) {
    Probe probe = probes.of(tsuid);
    if (blocks.isClosed()) {
      return blocks.touchClosed(probe, now);
    }
    Block block = blocks.get(probe);
    if (block != null) {
      int at = block.find(probe);
      if (at >= 0) {
        boolean use = Blocks.isUse(block, probe, now);
        TouchResult answer = block.touch(at, now);
        if (answer != null) {
          if (use) {
            blocks.use(probe);
          }
          probe.touched();
          return answer;
        }
      }
    }
    return touchLocked(probe, block, now);
  }

  private TouchResult touchLocked(Probe probe, @Nullable Block block, int now) {
    Insertion insertion = new Insertion(probe, now, capacity, evicted);
    TouchResult answer = blocks.insert(insertion, probe, block);
    evicted.handOver(removed);
    if (answer == null) {
      return blocks.touchClosed(probe, now);
    }
    probe.touched();
    if (!insertion.wasIn()) {
      misses.increment();
    }
    return answer;
  }

  /**
   * Takes a due series, and its points, for writing. Until {@link #settle} or {@link #giveBack} it
   * is fresh for all other callers, and further points are counted.
   *
   * @return null if it is not due (another thread has claimed it) or no longer in the cache
   */
  public @Nullable Claim claim(byte[] tsuid, int now) {
    Probe probe = probes.of(tsuid);
    return blocks.update(
        probe,
        (block, at) -> {
          long word = block.get(at);
          if (!State.isDue(word, now)) {
            return null;
          }
          block.replaceState(at, (word | State.IN_FLIGHT) & ~State.OWED);
          long points = block.takePoints(at);
          return new Claim(tsuid, points, (word & State.KNOWN) != 0, (word & State.COUNTED) != 0);
        });
  }

  /**
   * Ends a claim that is written.
   *
   * @param dueAt second at which it is due again
   * @param known a mark of the caller, returned by the next claim
   * @param counted a mark of the caller, returned by the next claim
   */
  public void settle(Claim claim, int dueAt, boolean known, boolean counted) {
    Probe probe = probes.of(claim.tsuid());
    blocks.update(
        probe,
        (block, at) -> {
          long landed = State.landed(block.get(at), dueAt);
          block.replaceState(at, State.marked(landed, known, counted));
          return true;
        });
  }

  /**
   * Marks a due series as owed: {@link #sweep} reports it without a further point, until it is
   * claimed, and {@link RemovedSeries} gets it if it leaves the cache before. A no-op for a series
   * that is not due.
   *
   * @param now seconds
   * @return false if the series is not in the cache
   */
  public boolean owe(byte[] tsuid, int now) {
    Probe probe = probes.of(tsuid);
    // No lock for a series that is owed already.
    Block block = blocks.get(probe);
    if (block != null) {
      int at = block.find(probe);
      if (at >= 0 && (block.get(at) & State.OWED) != 0) {
        return true;
      }
    }
    return blocks.update(
            probe,
            (found, slot) -> {
              long word = found.get(slot);
              if (State.isDue(word, now)) {
                found.replaceState(slot, word | State.OWED);
              }
              return true;
            })
        != null;
  }

  /**
   * Ends a claim that is not written: its points are added again, and it is owed from the given
   * second on.
   *
   * @return false if the series has left the cache meanwhile: the caller keeps it and its points
   */
  public boolean giveBack(Claim claim, int dueAt) {
    Probe probe = probes.of(claim.tsuid());
    return blocks.update(
            probe,
            (block, at) -> {
              block.addPoints(at, claim.points());
              block.replaceState(at, State.owed(block.get(at), dueAt));
              return true;
            })
        != null;
  }

  /**
   * Visits a part of the cache: reports due series with unclaimed points and owed series, and drops
   * other series that have been due since {@code idleSince} or longer: their next point causes a
   * write in any case. One thread at a time.
   *
   * @param maxBlocks number of blocks to visit
   * @param now seconds
   * @param idleSince seconds, before now
   * @return whether the end was reached; the next call then starts at the beginning
   */
  public boolean sweep(int maxBlocks, int now, int idleSince, DueSeries due) {
    boolean end = sweeper.sweep(maxBlocks, now, idleSince, due);
    evicted.handOver(removed);
    return end;
  }

  /**
   * Closes the cache: {@link #touch} takes no more points; open claims can be settled, and given
   * back with the result false. Passes every unclaimed point, and every owed series, to the sink,
   * which may block and is called in this thread only.
   */
  public void drain(RemovedSeries sink) {
    blocks.close();
    evicted.handOverAll(sink);
  }

  /** Series in the cache. */
  public long size() {
    return capacity.series();
  }

  /** Blocks in the cache. */
  public long blocks() {
    return blocks.map().size();
  }

  /** Points taken since the start; exact once the threads that touch have stopped. */
  public long touches() {
    return probes.touches();
  }

  /** Touches of series that were not in the cache. */
  public long misses() {
    return misses.sum();
  }

  /** Series removed to make room for others. */
  public long evictions() {
    return capacity.evictions();
  }

  /** Unclaimed points in the cache; walks over all of it. */
  public long unclaimedPoints() {
    long points = 0;
    for (Block block : blocks.map().values()) {
      for (int slot = 0; slot < block.slots(); slot++) {
        points += block.points(block.at(slot));
      }
    }
    return points;
  }

  /** Heap of the cache, bytes, estimated from the sizes of its arrays and entries. */
  public long memoryBytes() {
    return Memory.of(blocks);
  }
}
