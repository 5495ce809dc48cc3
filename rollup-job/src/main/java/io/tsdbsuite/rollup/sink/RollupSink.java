package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;

/**
 * Writes the rollups of one task attempt; for one thread.
 *
 * <p>{@code emit}* then {@code finish} or {@code abort}, then {@code close}. Once a method has
 * thrown, only {@code abort} and {@code close} may follow.
 */
public interface RollupSink extends AutoCloseable {

  /**
   * Hands over one point, or a deletion of one if {@link SinkFactory#takesBack}. The sink may store
   * it later, but does not use {@code point} after the return.
   *
   * @param point a point with its row, sorted tags and finite values, which the caller may reuse
   * @throws SinkException if this point or an earlier one could not be stored
   * @throws IllegalArgumentException if a value is not finite
   */
  void emit(RollupPoint point) throws SinkException;

  /**
   * Waits until all emitted points are stored.
   *
   * @return the books of this attempt
   * @throws SinkException if anything was not stored
   */
  SinkResult finish() throws SinkException;

  /** Aborts: drops unstored points and removes stored ones if possible. Never throws. */
  void abort();

  /** Releases all resources; aborts if neither {@code finish} nor {@code abort} was called. */
  @Override
  void close();
}
