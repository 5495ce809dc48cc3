package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.rollup.tiers.TiersPlan.Amount;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes of a table's HFiles. Not thread-safe.
 *
 * <pre>
 *   hfileBytes = stored by metric and day + unknown + outside + overhead
 * </pre>
 */
final class TableBytes {
  final StoredBytes stored = new StoredBytes();

  /** Bytes of blocks by the first row of their region, that of the block's first row. */
  final Map<ByteBuffer, Amount> regions = new HashMap<>();

  /** Number of HFiles; one that two regions share counts once. */
  int hfiles;

  /** Their length. */
  long hfileBytes;

  /** Bytes of data blocks. */
  long blocks;

  /** Bytes of blocks whose first row is of a metric without a name, or of no series. */
  long unknown;

  /** Bytes of blocks of halves that no region of the snapshot owns. */
  long outside;

  /** Bytes of blocks that may have rows of several metrics or days. */
  long straddling;

  /** Of these, bytes of blocks that may have rows that would go, and others. */
  long uncertain;

  void add(TableBytes other) {
    stored.add(other.stored);
    other.regions.forEach((from, amount) -> region(from).add(amount));
    hfiles += other.hfiles;
    hfileBytes += other.hfileBytes;
    blocks += other.blocks;
    unknown += other.unknown;
    outside += other.outside;
    straddling += other.straddling;
    uncertain += other.uncertain;
  }

  Amount region(ByteBuffer from) {
    return regions.computeIfAbsent(from, any -> new Amount());
  }

  /** Number of regions of which something would go: they are to be compacted. */
  long regionsToCompact() {
    return regions.values().stream().filter(region -> region.goes > 0).count();
  }

  /** Of these, regions of which all would go. */
  long regionsEmptied() {
    return regions.values().stream()
        .filter(region -> region.goes > 0 && region.goes == region.bytes)
        .count();
  }

  /** Bytes of indexes, Bloom filters and metadata. */
  long overhead() {
    return hfileBytes - blocks;
  }

  /** Whether each byte is counted once. */
  boolean closes() {
    long[] known = {0};
    stored
        .metrics()
        .values()
        .forEach(
            days -> {
              for (int day = days.first(); day < days.first() + days.days(); day++) {
                known[0] += days.of(day, StoredBytes.BYTES);
              }
            });
    return blocks == known[0] + unknown + outside && overhead() >= 0;
  }
}
