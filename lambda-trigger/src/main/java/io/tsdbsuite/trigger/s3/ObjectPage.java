package io.tsdbsuite.trigger.s3;

import java.util.List;

/**
 * A page of a listing of the objects below a prefix.
 *
 * @param objects sorted by the UTF-8 bytes of their keys
 * @param more whether further objects follow
 */
public record ObjectPage(List<Entry> objects, boolean more) {
  /**
   * An object.
   *
   * @param key its key
   * @param size its size, bytes
   */
  public record Entry(String key, long size) {}
}
