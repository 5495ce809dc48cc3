package io.tsdbsuite.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RpcTableTest {
  @Test
  void aWayIsARowWithTheCostsOfBothNumbersOfRegionsBesideEachOther() {
    RpcTable table = new RpcTable(1);
    for (int regions : RpcTable.REGIONS) {
      table.add("this", new RpcTable.Cost(0.25, regions * 0.25, 2.04));
      table.add("other", new RpcTable.Cost(1, regions, 3));
    }

    assertThat(table.table().lines().skip(2))
        .containsExactly(
            "| this | 0.250 | 0.250 | 0.250 | 4.000 | 2.0 | 2.0 |",
            "| other | 1.000 | 1.000 | 1.000 | 16.000 | 3.0 | 3.0 |");
    assertThat(table.table().lines().map(line -> line.split("\\|", -1).length).distinct())
        .hasSize(1);
  }

  @Test
  void countsAreDifferences() {
    assertThat(new RegionServerCounts(7, 40).minus(new RegionServerCounts(5, 10)))
        .isEqualTo(new RegionServerCounts(2, 30));
  }

  @Test
  void regionsHaveTheSameNumberOfSaltBuckets() {
    assertThat(Servers.splits(1)).isEmpty();
    assertThat(Servers.splits(4)).containsExactly(new byte[] {4}, new byte[] {8}, new byte[] {12});
    assertThat(Servers.splits(Servers.BUCKETS)).hasSize(15).contains(new byte[] {15});
  }
}
