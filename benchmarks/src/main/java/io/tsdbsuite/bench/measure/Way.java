package io.tsdbsuite.bench.measure;

/**
 * A named way to do the same work: the suite's, that of a peer, or the bare loop.
 *
 * @param <T> result of a round: its cost, or a sum that must be equal for all ways
 */
public record Way<T>(String name, Work<T> work) {
  /** A round of the work. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does the work once. */
    T run() throws Exception;
  }
}
