package io.tsdbsuite.meta.cache;

/**
 * Heap of the cache, by the sizes of its objects on a 64-bit JVM with compressed references (heaps
 * under 32 GiB).
 */
final class Memory {
  /** Bytes of the block's own fields, 56, and of the header of its array, 16. */
  private static final long BLOCK = 72;

  /**
   * Bytes of Caffeine and its map per entry: key 32, node 40, entry of the map 32, share of the
   * map's table 8, share of the frequency sketch 12.
   */
  private static final long ENTRY = 124;

  private Memory() {}

  /** Bytes; goes over all blocks. */
  static long of(Blocks blocks) {
    long bytes = blocks.depths().memoryBytes() + blocks.recent().memoryBytes();
    for (Block block : blocks.map().values()) {
      bytes += ENTRY + BLOCK + (long) Long.BYTES * block.length();
    }
    return bytes;
  }
}
