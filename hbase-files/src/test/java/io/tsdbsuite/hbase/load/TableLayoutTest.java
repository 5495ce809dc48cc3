package io.tsdbsuite.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.junit.jupiter.api.Test;

class TableLayoutTest {
  private static final byte[] EDGE = {};
  private static final byte[] MIDDLE = {5};

  private static RegionInfo region(byte[] start, byte[] end) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("tsdb-rollup-1h"))
        .setStartKey(start)
        .setEndKey(end)
        .build();
  }

  /** With REGION_REPLICATION => 3; the last region is in transition. */
  @Test
  void aRegionCountsOnceWithItsReplicas() throws IOException {
    ServerName server = ServerName.valueOf("rs1", 16020, 1);
    RegionInfo first = region(EDGE, MIDDLE);
    RegionInfo last = region(MIDDLE, EDGE);
    List<HRegionLocation> locations =
        Arrays.asList(
            new HRegionLocation(last, null),
            null,
            null,
            new HRegionLocation(first, server),
            new HRegionLocation(RegionReplicaUtil.getRegionInfoForReplica(first, 1), server),
            null);
    RegionLocator locator =
        (RegionLocator)
            Proxy.newProxyInstance(
                RegionLocator.class.getClassLoader(),
                new Class<?>[] {RegionLocator.class},
                (proxy, method, arguments) -> locations);
    assertThat(TableLayout.regions(locator))
        .extracting(Region::start)
        .containsExactly(EDGE, MIDDLE);
  }
}
