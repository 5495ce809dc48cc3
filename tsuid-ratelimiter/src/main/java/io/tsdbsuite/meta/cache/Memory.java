package io.tsdbsuite.meta.cache;

/**
 * What the cache takes of the heap, by the sizes of its objects on a 64-bit JVM with compressed
 * references (heaps under 32 GiB).
 */
final class Memory {
  /** The block's own fields, 56, and the head of its array, 16. */
  private static final long BLOCK = 72;

  /**
   * What Caffeine and its map add for an entry: key 32, node 40, entry of the map 32, its share of
   * the map's table 8, of the frequency sketch 12.
   */
  private static final long ENTRY = 124;

  private Memory() {}

  /** Bytes; goes over all blocks. */
  static long of(Blocks blocks) {
    long bytes = blocks.depths().memoryBytes();
    for (Block block : blocks.map().values()) {
      bytes += ENTRY + BLOCK + (long) Long.BYTES * block.length();
    }
    return bytes;
  }
}
