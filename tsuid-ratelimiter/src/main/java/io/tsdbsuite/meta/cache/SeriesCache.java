package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.LongAdder;

/**
 * When each series is due to have its meta written, and how many points it got since. Thread-safe.
 *
 * <p>A series is due at first sight, and again at the second that {@link #settle} or {@link
 * #giveBack} name. Seconds count from any fixed start and may be up to 30 days ahead of now.
 *
 * <p>Counts are exact: a point that {@link #touch} has taken is in exactly one {@link Claim}, or
 * goes to {@link RemovedSeries}, whatever is evicted, swept or drained meanwhile. So is a series
 * that is {@linkplain #owe owed}.
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
        boolean use = probe.isSample() || block.touchedAt() != now;
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
    return touchLocked(probe, now);
  }

  private TouchResult touchLocked(Probe probe, int now) {
    Insertion insertion = new Insertion(probe, now, capacity, evicted);
    boolean taken = blocks.insert(insertion, probe);
    evicted.handOver(removed);
    if (!taken) {
      return blocks.touchClosed(probe, now);
    }
    probe.touched();
    if (!insertion.wasIn()) {
      misses.increment();
    }
    return insertion.answer();
  }

  /**
   * Takes a series that is due, and its points, for writing; until {@link #settle} or {@link
   * #giveBack} it is fresh for all others, and its points go on being counted.
   *
   * @return null if it is not due (somebody else was faster) or no longer here
   */
  public Claim claim(byte[] tsuid, int now) {
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
   * The claim is written.
   *
   * @param dueAt seconds, when it is due again
   * @param known whatever the caller wants to find in its next claim
   * @param counted whatever the caller wants to find in its next claim
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
   * Remembers that a series is due: from then on {@link #sweep} tells of it without a further
   * point, until it is claimed, and {@link RemovedSeries} hears of it if it goes before. Does
   * nothing to a series that is not due.
   *
   * @param now seconds
   * @return false if the series is not here
   */
  public boolean owe(byte[] tsuid, int now) {
    Probe probe = probes.of(tsuid);
    // Without a lock, for those that are owed already.
    Block block = blocks.get(probe);
    int at = block == null ? -1 : block.find(probe);
    if (at >= 0 && (block.get(at) & State.OWED) != 0) {
      return true;
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
   * The claim is not written: its points are added again, and it is owed from the time given on.
   *
   * @return false if the series has left the cache meanwhile: it is the caller's, with its points
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
   * Goes over a part of the cache: tells of series that are due and have unclaimed points or are
   * owed, and drops those that are neither and have been due since {@code idleSince} or longer:
   * they get no points, and the next one would have to be written anyway. One thread at a time.
   *
   * @param maxBlocks how many blocks to visit
   * @param now seconds
   * @param idleSince seconds, before now
   * @return whether the end was reached; the next call then starts anew
   */
  public boolean sweep(int maxBlocks, int now, int idleSince, DueSeries due) {
    boolean end = sweeper.sweep(maxBlocks, now, idleSince, due);
    evicted.handOver(removed);
    return end;
  }

  /**
   * Closes the cache: {@link #touch} takes no more points, claims that are out can be settled and
   * given back (which answers false). Hands every unclaimed point, and every series that is owed,
   * to the sink, which may block; other than at a removal it is called in this thread only.
   */
  public void drain(RemovedSeries sink) {
    blocks.close();
    evicted.handOverAll(sink);
  }

  /** Series that are in now. */
  public long size() {
    return capacity.series();
  }

  /** Blocks that hold them. */
  public long blocks() {
    return blocks.map().size();
  }

  /** Points taken since the start; exact once the threads that touch have stopped. */
  public long touches() {
    return probes.touches();
  }

  /** Those of them whose series was not in. */
  public long misses() {
    return misses.sum();
  }

  /** Series that had to go for others. */
  public long evictions() {
    return capacity.evictions();
  }

  /** Points in the cache that nobody has claimed; walks over all of it. */
  public long unclaimedPoints() {
    long points = 0;
    for (Block block : blocks.map().values()) {
      for (int slot = 0; slot < block.slots(); slot++) {
        points += block.points(block.at(slot));
      }
    }
    return points;
  }

  /** What it takes of the heap, bytes, estimated from the sizes of its arrays and entries. */
  public long memoryBytes() {
    return Memory.of(blocks);
  }
}
