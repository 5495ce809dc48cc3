package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Moves regions. */
final class Regions {
  private static final Duration LONG = Duration.ofMinutes(2);

  private Regions() {}

  /** Moves each region of a table to another region server, and waits for it. */
  static void moveAll(ClusterStack stack, String table) throws IOException {
    TableName name = TableName.valueOf(table);
    try (Admin admin = stack.hbase().master().connection().getAdmin();
        RegionLocator locator = admin.getConnection().getRegionLocator(name)) {
      List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
      for (HRegionLocation region : locator.getAllRegionLocations()) {
        ServerName from = region.getServerName();
        ServerName to = servers.get((servers.indexOf(from) + 1) % servers.size());
        admin.move(region.getRegion().getEncodedNameAsBytes(), to);
        Await.until(
            "the move of " + region.getRegion().getEncodedName(),
            LONG,
            () ->
                locator
                    .getRegionLocation(region.getRegion().getStartKey(), true)
                    .getServerName()
                    .equals(to));
      }
    }
  }
}
