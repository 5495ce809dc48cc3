package io.tsdbsuite.job.coverage;

import static io.tsdbsuite.job.coverage.CoverageTable.bytes;

import io.tsdbsuite.coverage.CoverageRows;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** Whether there is a coverage table. */
public final class CoverageTableCheck {
  private CoverageTableCheck() {}

  /**
   * What the coverage table lacks.
   *
   * @param table its name
   * @return a sentence; empty if it can be used
   * @throws IOException when HBase fails
   */
  public static String missing(Admin admin, String table) throws IOException {
    TableName name = TableName.valueOf(table);
    if (!admin.tableExists(name)) {
      return "table "
          + name
          + " does not exist, so TSDs with rollup-query read raw data; docs/coverage.md has the"
          + " command that creates it";
    }
    if (!admin.isTableEnabled(name)) {
      return "table " + name + " must be enabled, found disabled";
    }
    return admin.getDescriptor(name).hasColumnFamily(bytes(CoverageRows.FAMILY))
        ? ""
        : "table " + name + " must have the column family " + CoverageRows.FAMILY;
  }
}
