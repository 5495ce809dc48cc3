package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.stored.BatchReconciler;
import io.tsdbsuite.bulk.stored.Reconciler;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.uid.TsuidNames;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Durability;

/**
 * The data table to write to, and the settings of writing.
 *
 * @param resumed whether an earlier process of this load may have written rows
 */
public record TargetTable(
    TsdHBase hbase,
    StorageSchema schema,
    TableFacts table,
    CellTimestamps stamps,
    WriteSettings settings,
    boolean resumed) {
  /** Row keys of the installation. */
  public RowKey rowKey() {
    return new RowKey(schema);
  }

  /** Names rows for messages, by metric and tags. For one thread. */
  public RowName names() {
    return names(hbase, schema);
  }

  /**
   * Opens the table to merge new cells with stored rows. For one thread; the caller closes it.
   *
   * @param mayRewrite whether stored values can be replaced, which HFiles cannot
   * @param durability of rewritten rows
   */
  BatchReconciler reconciler(boolean mayRewrite, Durability durability) throws IOException {
    RowName names = names();
    return new BatchReconciler(
        hbase.connection().getTable(table.name()),
        names,
        new Reconciler(schema, names, settings.onConflict(), stamps, mayRewrite, resumed),
        stamps.mayBeHidden(),
        durability);
  }

  /** Names rows of an installation without a target table. */
  static RowName names(TsdHBase hbase, StorageSchema schema) {
    return new RowName(
        new RowKey(schema), tsuid -> TsuidNames.of(hbase.connection(), schema, tsuid));
  }
}
