package io.tsdbsuite.trigger.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.snapshot.WholeNight.WholeSnapshot;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExecutionNameTest {
  static WholeNight night(String... etags) {
    Instant created = Instant.parse("2026-11-21T00:30:00Z");
    return new WholeNight(
        new Night(LocalDate.parse("2026-11-21"), "tsdb-20261121", "tsdb-uid-20261121"),
        new WholeSnapshot(
            "tsdb-20261121", created, List.of(etags[0], etags[1]), 1, 1, 1, Optional.empty()),
        new WholeSnapshot(
            "tsdb-uid-20261121",
            created.plusSeconds(9),
            List.of(etags[2], etags[3]),
            1,
            1,
            1,
            Optional.empty()),
        1);
  }

  @Test
  void changesWithWhatItIsMadeOf() {
    S3Location root = S3Location.parse("s3://backup/hbase");
    String name = ExecutionName.of(root, night("a", "b", "c", "d"));
    // Fixed: another name for the same export would start it again after an update.
    assertThat(name).isEqualTo("rollup-2026-11-21-b35ce2379d381855");
    assertThat(ExecutionName.of(root, night("a", "b", "c", "d"))).isEqualTo(name);
    assertThat(ExecutionName.of(root, night("a", "b", "c", "e"))).isNotEqualTo(name);
    assertThat(ExecutionName.of(root, night("a", "bc", "", "d"))).isNotEqualTo(name);
    assertThat(ExecutionName.of(root.resolve("x"), night("a", "b", "c", "d"))).isNotEqualTo(name);
  }
}
