package io.tsdbsuite.nightly.config;

/**
 * Where the data are.
 *
 * @param dataTable OpenTSDB's data table, as HBase writes its name
 * @param uidTable OpenTSDB's UID table
 * @param hbaseRoot root directory of the live HBase, a URI; empty if unknown
 * @param exportRoot target of ExportSnapshot, a URI; empty without exports
 */
public record Place(String dataTable, String uidTable, String hbaseRoot, String exportRoot) {
  /** Whether snapshots are exported or arrive as exports. */
  public boolean isExported() {
    return !exportRoot.isEmpty();
  }

  /** The root that the job reads. */
  public String snapshotRoot() {
    return isExported() ? exportRoot : hbaseRoot;
  }
}
