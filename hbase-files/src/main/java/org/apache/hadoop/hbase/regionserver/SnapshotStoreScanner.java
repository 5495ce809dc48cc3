package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;

/**
 * HBase's merge of store files with the rules of a client's scan (versions, deletes, TTL), without
 * a region server. It is in HBase's package because the constructor is package-private.
 */
public final class SnapshotStoreScanner {
  private SnapshotStoreScanner() {}

  /**
   * Opens a user scan of all columns over store files.
   *
   * @param scan row range and read type
   * @param scanInfo versions, TTL and delete rules of the family
   * @param scanners one for each store file, oldest first
   */
  public static StoreScanner open(
      Scan scan, ScanInfo scanInfo, List<? extends KeyValueScanner> scanners) throws IOException {
    return new StoreScanner(scan, scanInfo, null, scanners);
  }
}
