package io.tsdbsuite.meta.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Undoes the halving of metrics that have become small, or are gone: else they would take a block
 * for a few series each, and a place in {@link StripeDepths} for ever.
 */
final class StripeJoiner {
  /** Series per block after joining, at most. */
  private static final int JOINED = 128;

  private final Blocks blocks;

  /** Series of the metrics with more than one block that were visited in this round. */
  private final Map<BlockKey, Long> seriesOf = new HashMap<>();

  StripeJoiner(Blocks blocks) {
    this.blocks = blocks;
  }

  /** One block of the round. */
  void visited(BlockKey key, int size) {
    if (key.depth() > 0) {
      seriesOf.merge(whole(key.metric(), key.tsuidLength()), (long) size, Long::sum);
    }
  }

  private static BlockKey whole(long metric, int length) {
    return BlockKey.of(metric, length, 0, 0);
  }

  /** Joins what is worth it. */
  void endOfRound() {
    blocks
        .depths()
        .forEach(
            (metric, length, depth) -> {
              long series = seriesOf.getOrDefault(whole(metric, length), 0L);
              if (isWorthwhile(depth, series)) {
                synchronized (blocks.lockFor(metric, length)) {
                  joinLocked(metric, length);
                }
              }
            });
    seriesOf.clear();
  }

  private static int depthFor(long series) {
    int depth = 0;
    while (series >>> depth > JOINED) {
      depth++;
    }
    return depth;
  }

  private static boolean isWorthwhile(int depth, long series) {
    // Two levels, so that a metric that goes up and down a little is left alone.
    int wanted = depthFor(series);
    return wanted + 2 <= depth || (wanted == 0 && depth > 0 && series < JOINED / 2);
  }

  private void joinLocked(long metric, int length) {
    int depth = blocks.depths().get(metric, length);
    long series = 0;
    for (int level = 0; level <= depth; level++) {
      for (int stripe = 0; stripe < 1 << level; stripe++) {
        Block block = blocks.peek(BlockKey.of(metric, length, level, stripe));
        series += block == null ? 0 : block.size();
      }
    }
    if (!isWorthwhile(depth, series) || blocks.isClosed()) {
      return;
    }
    int wanted = depthFor(series);
    blocks.depths().set(metric, length, wanted);
    for (int stripe = 0; stripe < 1 << wanted; stripe++) {
      join(BlockKey.of(metric, length, wanted, stripe), depth);
    }
  }

  /** All blocks from a key's down become that key's. */
  private void join(BlockKey top, int deepest) {
    List<Block> parts = new ArrayList<>();
    int series = 0;
    for (int level = top.depth(); level <= deepest; level++) {
      int below = level - top.depth();
      for (int i = 0; i < 1 << below; i++) {
        int stripe = (top.stripe() << below) + i;
        Block part =
            blocks.map().remove(BlockKey.of(top.metric(), top.tsuidLength(), level, stripe));
        if (part != null) {
          parts.add(part);
          series += part.size();
        }
      }
    }
    if (!parts.isEmpty()) {
      Block joined = parts.get(0).emptyFor(top, series);
      for (Block part : parts) {
        Rebuild.moveAll(part, joined);
        joined.touchedAt(Math.max(joined.touchedAt(), part.touchedAt()));
      }
      blocks.map().put(top, joined);
    }
  }
}
