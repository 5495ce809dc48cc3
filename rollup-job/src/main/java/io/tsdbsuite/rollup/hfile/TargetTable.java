package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.Region;
import io.tsdbsuite.hbase.load.RegionStarts;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.rollup.sink.SinkException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;

/**
 * A rollup table at the start of the run, small enough to be shipped with every task.
 *
 * @param name with its namespace
 * @param family the descriptor of {@link RowKey#FAMILY}, in HBase's serialised form
 * @param starts start keys of its regions, ascending, the first one empty
 */
public record TargetTable(String name, byte[] family, byte[][] starts) implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final byte[] EDGE = {};

  /**
   * The table of a layout.
   *
   * @param name as the rollup configuration writes it
   * @throws SinkException fatal, when files cannot be written for the table
   */
  static TargetTable of(String name, TableLayout layout) throws SinkException {
    if (!layout.hasFamily()) {
      throw fatal(layout, "must have the column family " + RowKey.FAMILY);
    }
    List<String> problems = HFileSupport.problems(layout);
    if (!problems.isEmpty()) {
      throw fatal(layout, String.join("; ", problems) + ": use Kafka");
    }
    return new TargetTable(
        name,
        ColumnFamilyDescriptorBuilder.toByteArray(layout.family()),
        layout.regions().stream().map(Region::start).toArray(byte[][]::new));
  }

  private static SinkException fatal(TableLayout table, String problem) {
    return new SinkException.Fatal("table " + table.name() + " " + problem);
  }

  /** Returns the layout for writing its files. */
  public TableLayout layout() {
    List<Region> regions = new ArrayList<>(starts.length);
    for (int i = 0; i < starts.length; i++) {
      regions.add(new Region(starts[i], i + 1 < starts.length ? starts[i + 1] : EDGE));
    }
    try {
      return new TableLayout(
          TableName.valueOf(name), ColumnFamilyDescriptorBuilder.parseFrom(family), 0, regions);
    } catch (DeserializationException e) {
      throw new IllegalStateException("a column family descriptor must survive serialisation", e);
    }
  }

  RegionStarts regionStarts() {
    return new RegionStarts(starts);
  }
}
