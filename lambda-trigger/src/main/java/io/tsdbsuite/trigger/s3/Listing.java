package io.tsdbsuite.trigger.s3;

import java.util.List;

/**
 * A page of the objects below a prefix.
 *
 * @param objects by key, in the order of their keys' UTF-8 bytes
 * @param more whether there are further ones behind them
 */
public record Listing(List<Entry> objects, boolean more) {
  /**
   * An object.
   *
   * @param key its key
   * @param size its size, bytes
   */
  public record Entry(String key, long size) {}
}
