package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.hbase.load.RegionStarts;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.Partitioner;

/**
 * Assigns records to shuffle partitions.
 *
 * <pre>
 *   the regions of the first table, of the second, ...     rollups
 *   the last one                                           books
 * </pre>
 */
final class TargetPartitions extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final RegionStarts[] tables;
  private final int[] firsts;

  /**
   * @param tables of the targets, in their order
   */
  TargetPartitions(List<TargetTable> tables) {
    this.tables = new RegionStarts[tables.size()];
    this.firsts = new int[tables.size() + 1];
    for (int i = 0; i < this.tables.length; i++) {
      this.tables[i] = tables.get(i).regionStarts();
      firsts[i + 1] = firsts[i] + this.tables[i].count();
    }
  }

  /** Number of partitions with rollups, which come first. */
  int regions() {
    return firsts[tables.length];
  }

  /** The partition with the books of all tasks. */
  int books() {
    return regions();
  }

  /** The table number of a partition. */
  int table(int partition) {
    int table = 0;
    while (firsts[table + 1] <= partition) {
      table++;
    }
    return table;
  }

  /** The region number of a partition within its table. */
  int region(int partition) {
    return partition - firsts[table(partition)];
  }

  @Override
  public int numPartitions() {
    return regions() + 1;
  }

  @Override
  public int getPartition(Object record) {
    byte[] key = (byte[]) record;
    if (RollupRecord.isBooks(key)) {
      return books();
    }
    int table = RollupRecord.table(key);
    return firsts[table] + tables[table].region(key, RollupRecord.ROW, RollupRecord.rowEnd(key));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TargetPartitions same && Arrays.equals(tables, same.tables);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(tables);
  }
}
