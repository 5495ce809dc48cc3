package io.tsdbsuite.meta.cache;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Changes one series in its block, inside {@code compute} of the block's key.
 *
 * @param <T> result of the change
 */
final class SlotUpdate<T> implements BiFunction<BlockKey, Block, Block> {
  private final Probe probe;
  private final Change<T> change;
  private boolean found;
  private @Nullable T result;

  SlotUpdate(Probe probe, Change<T> change) {
    this.probe = probe;
    this.change = change;
  }

  @Override
  public Block apply(BlockKey key, Block block) {
    int at = block.find(probe);
    if (at >= 0) {
      found = true;
      result = change.apply(block, at);
    }
    return block;
  }

  /** Whether the series was in the block. */
  boolean found() {
    return found;
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
