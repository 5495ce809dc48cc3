package io.tsdbsuite.rollup.tiers;

/**
 * The bytes of a table's HFiles. Not thread-safe.
 *
 * <pre>
 *   hfileBytes = stored by metric and day + unknown + outside + overhead
 * </pre>
 */
final class TableBytes {
  final StoredBytes stored = new StoredBytes();

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
    hfiles += other.hfiles;
    hfileBytes += other.hfileBytes;
    blocks += other.blocks;
    unknown += other.unknown;
    outside += other.outside;
    straddling += other.straddling;
    uncertain += other.uncertain;
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
