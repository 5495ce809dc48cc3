package io.tsdbsuite.rollup.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * Numbers of store files of a table at one time.
 *
 * @param files store files of all regions
 * @param most largest number of store files in one region
 * @param regions number of regions
 */
public record StoreFiles(int files, int most, int regions) {
  /**
   * Queries the region servers.
   *
   * @throws IOException when HBase fails
   */
  static StoreFiles of(Admin admin, TableName table) throws IOException {
    int files = 0;
    int most = 0;
    int regions = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        files += region.getStoreFileCount();
        most = Math.max(most, region.getStoreFileCount());
        regions++;
      }
    }
    return new StoreFiles(files, most, regions);
  }

  /** As fields of an empty JSON object. */
  void write(ObjectNode node) {
    node.put("files", files).put("regions", regions).put("mostInOneRegion", most);
  }

  @Override
  public String toString() {
    return files + " in " + regions + " regions, at most " + most + " in one";
  }
}
