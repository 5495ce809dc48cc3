package io.tsdbsuite.meta.cache;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes one series in its block, under the block's lock.
 *
 * @param <T> result of the change
 */
final class SlotUpdate<T> implements Predicate<Block> {
  private final Probe probe;
  private final Change<T> change;
  private @Nullable T result;

  SlotUpdate(Probe probe, Change<T> change) {
    this.probe = probe;
    this.change = change;
  }

  /** Whether the series is in the block. */
  @Override
  public boolean test(Block block) {
    int at = block.find(probe);
    if (at >= 0) {
      result = change.apply(block, at);
    }
    return at >= 0;
  }

  /** Result of the change; null if the series was not found. */
  @Nullable T result() {
    return result;
  }

  /**
   * A change of one slot.
   *
   * @param <T> its result
   */
  interface Change<T> {
    /** Changes the slot whose state is at that index; null if there is nothing to change. */
    @Nullable T apply(Block block, int at);
  }
}
