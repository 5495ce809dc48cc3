package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.uid.TsuidNames;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;

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

  /** Names rows of an installation without a target table. */
  static RowName names(TsdHBase hbase, StorageSchema schema) {
    return new RowName(
        new RowKey(schema), tsuid -> TsuidNames.of(hbase.connection(), schema, tsuid));
  }
}
