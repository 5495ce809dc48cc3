package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.TableFacts;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the point cells of a row, in one step for every reader: the merged cells are put, the
 * old ones deleted. Annotations, histograms and unknown columns stay.
 *
 * <pre>
 *   0000 @7 = 1     0010 @8 = 2                  stored
 *   put     00000010 @9 = 1 5
 *   delete  0000 up to @7    0010 up to @8       cells later than the read ones stay
 * </pre>
 *
 * <p>A delete covers a cell's older versions too: with a marker for one version only, HBase would
 * show the version before it, which is still in its files until a compaction.
 */
public final class RowRewrite {
  private final byte[] key;
  private final List<EncodedRow> cells;
  private final long stamp;
  private final List<Cell> old;
  private final @Nullable Cell append;

  /**
   * @param cells the new cells
   * @param stamp their timestamp, not below the timestamp of any old cell, milliseconds
   * @param old the point cells that were read
   * @param append the one of them that a TSD may add to at any moment, null if there is none
   */
  RowRewrite(
      byte[] key, List<EncodedRow> cells, long stamp, List<Cell> old, @Nullable Cell append) {
    this.key = key;
    this.cells = cells;
    this.stamp = stamp;
    this.old = List.copyOf(old);
    this.append = append;
  }

  /** The new cells. */
  public List<EncodedRow> cells() {
    return cells;
  }

  /** The cells to delete. */
  List<Cell> old() {
    return old;
  }

  /**
   * Applies it. The caller must read the row again, since a TSD may have compacted it in between.
   *
   * @return false if a TSD has appended to the row since it was read, and nothing was done
   */
  public boolean apply(Table table, Durability durability) throws IOException {
    Put put = new Put(key).setDurability(durability);
    for (EncodedRow cell : cells) {
      put.addColumn(TableFacts.FAMILY, cell.qualifier(), stamp, cell.value());
    }
    RowMutations mutations = new RowMutations(key);
    mutations.add((Mutation) put);
    Delete delete = new Delete(key).setDurability(durability);
    for (Cell cell : old) {
      if (!isReplaced(cell)) {
        delete.addColumns(TableFacts.FAMILY, CellUtil.cloneQualifier(cell), cell.getTimestamp());
      }
    }
    if (!delete.isEmpty()) {
      mutations.add((Mutation) delete);
    }
    if (append == null) {
      table.mutateRow(mutations);
      return true;
    }
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(key)
                .ifEquals(
                    TableFacts.FAMILY, CellUtil.cloneQualifier(append), CellUtil.cloneValue(append))
                .build(mutations))
        .isSuccess();
  }

  /** A new cell of the same column hides it without a marker. */
  private boolean isReplaced(Cell cell) {
    for (EncodedRow replacement : cells) {
      if (CellUtil.matchingQualifier(cell, replacement.qualifier())) {
        return true;
      }
    }
    return false;
  }
}
