package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.rollup.sink.SinkFactory;
import java.io.Serializable;

/**
 * Properties of the sinks that decide which rollups are computed, as {@link SinkFactory} defines
 * them.
 *
 * @param wantsNames whether rows fail if their series has no name
 * @param takesBack whether a stored rollup can be taken back
 */
public record SinkTraits(boolean wantsNames, boolean takesBack) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The properties of the sinks of a factory. */
  public static SinkTraits of(SinkFactory sinks) {
    return new SinkTraits(sinks.wantsNames(), sinks.takesBack());
  }
}
