package io.tsdbsuite.rollup.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AsOfTest {
  @Test
  void isTheSnapshotsTimeUnlessTheRunsOwnIsAskedFor() {
    Instant taken = Instant.parse("2025-11-20T00:10:00.123Z");
    Instant started = Instant.parse("2025-11-20T03:00:00Z");
    Snapshot data =
        new Snapshot("s", "tsdb", taken.toEpochMilli(), true, null, null, null, List.of());
    assertThat(AsOf.SNAPSHOT.time(data, started)).isEqualTo(taken);
    assertThat(AsOf.NOW.time(data, started)).isEqualTo(started);
  }
}
