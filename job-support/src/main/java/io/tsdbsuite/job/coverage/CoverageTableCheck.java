package io.tsdbsuite.job.coverage;

import static io.tsdbsuite.job.coverage.CoverageTable.bytes;

import io.tsdbsuite.coverage.CoverageRows;
import java.io.IOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

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
      return ("table %s does not exist, so TSDs with rollup-query read raw data;"
              + " docs/coverage.md has the command that creates it")
          .formatted(name);
    }
    if (!admin.isTableEnabled(name)) {
      return "table " + name + " must be enabled, found disabled";
    }
    ColumnFamilyDescriptor family =
        admin.getDescriptor(name).getColumnFamily(bytes(CoverageRows.FAMILY));
    if (family == null) {
      return "table " + name + " must have the column family " + CoverageRows.FAMILY;
    }
    return family.getScope() == HConstants.REPLICATION_SCOPE_LOCAL
        ? ""
        : ("table %s must not be replicated, because its windows are of this cluster alone,"
                + " found REPLICATION_SCOPE => '%s'")
            .formatted(name, family.getScope());
  }
}
