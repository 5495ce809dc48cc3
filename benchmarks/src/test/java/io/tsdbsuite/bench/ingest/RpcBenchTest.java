package io.tsdbsuite.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RpcBenchTest {
  @Test
  void aWayIsARowWithTheCostsOfBothNumbersOfRegionsBesideEachOther() {
    Map<String, List<Samples<Cost>>> rows = new LinkedHashMap<>();
    rows.put("this", List.of(cost(250, 250, 2.04), cost(250, 4000, 2.04)));
    rows.put("other", List.of(cost(1000, 1000, 3), cost(1000, 16_000, 3)));
    Report report = new Report("make test");
    RpcBench.table(rows, report);

    List<String> lines = report.section().lines().skip(2).toList();
    assertThat(lines.subList(2, 4))
        .containsExactly(
            "| this | 0.250 | 0.250 | 0.250 | 4.000 | 2.0 | 2.0 |",
            "| other | 1.000 | 1.000 | 1.000 | 16.000 | 3.0 | 3.0 |");
    assertThat(lines.stream().map(line -> line.split("\\|", -1).length).distinct()).hasSize(1);
  }

  /** A million cells by so many RPCs and batches, with CPU of TSD and HBase together. */
  private static Samples<Cost> cost(long rpcs, long batches, double cpu) {
    RegionServerCounts counts = new RegionServerCounts(rpcs, batches);
    return new Samples<>("way", List.of(new Cost(1_000_000, 1, cpu / 2, cpu / 2, 0, 0, counts)));
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
