package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;

/**
 * Takes the rollups of one task attempt; for one thread.
 *
 * <p>{@code emit}* then {@code finish} or {@code abort}, then {@code close}. Once a method has
 * thrown, only {@code abort} and {@code close} may follow.
 */
public interface RollupSink extends AutoCloseable {

  /**
   * Hands over one point, or one that is taken back, if {@link SinkFactory#takesBack}; it may be
   * stored only later, and is done with when this returns.
   *
   * @param point a point with sorted tags and finite values, which the caller may reuse
   * @throws SinkException if this point, or one before it, could not be stored
   * @throws IllegalArgumentException if a value is not finite
   */
  void emit(RollupPoint point) throws SinkException;

  /**
   * Waits until everything that was emitted is stored.
   *
   * @return the books of this attempt
   * @throws SinkException if anything was not stored
   */
  SinkResult finish() throws SinkException;

  /** Gives up: what is not stored yet is dropped, what can be removed is removed. Never throws. */
  void abort();

  /** Releases everything; aborts if neither {@code finish} nor {@code abort} was called. */
  @Override
  void close();
}
