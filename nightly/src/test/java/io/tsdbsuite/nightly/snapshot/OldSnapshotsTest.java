package io.tsdbsuite.nightly.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.planner.night.Night;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OldSnapshotsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T02:00:00Z");
  private static final SnapshotKind KIND =
      new SnapshotKind("tsdb", "tsdb-uid", SnapshotPattern.parse(SnapshotPattern.DEFAULT));

  private final List<FoundSnapshot> all = new ArrayList<>();

  private void take(String table, String date) {
    take(table, date, date + "T01:30:00Z");
  }

  private void take(String table, String date, String created) {
    all.add(new FoundSnapshot(table + "-" + date.replace("-", ""), table, Instant.parse(created)));
  }

  private void night(String date) {
    take("tsdb", date);
    take("tsdb-uid", date);
  }

  private List<String> old(int keep, Night... needed) {
    return new OldSnapshots(KIND, "tiers-7-", keep, Set.of(needed), NOW)
        .of(all).stream().map(FoundSnapshot::name).toList();
  }

  @Test
  void olderThanTheNightsToKeep() {
    night("2026-11-18");
    take("tsdb", "2026-11-19");
    night("2026-11-20");
    night("2026-11-21");
    all.add(new FoundSnapshot("by-hand", "tsdb", Instant.EPOCH));
    all.add(new FoundSnapshot("other-20261101", "other", Instant.EPOCH));
    assertThat(old(2)).containsExactly("tsdb-20261118", "tsdb-uid-20261118", "tsdb-20261119");
    assertThat(old(3)).isEmpty();
    assertThat(old(4)).isEmpty();
  }

  @Test
  void whatADayNeedsStays() {
    night("2026-11-18");
    night("2026-11-19");
    night("2026-11-21");
    assertThat(old(1, KIND.night(LocalDate.parse("2026-11-18"))))
        .containsExactly("tsdb-20261119", "tsdb-uid-20261119");
  }

  /** Of rollup tables, each taken after those of its night. */
  @Test
  void whatAProofOfANightThatStaysNames() {
    for (String date : List.of("2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21")) {
      night(date);
      all.add(new FoundSnapshot("tiers-7-" + date, "tsdb-1h", Instant.parse(date + "T02:00:00Z")));
    }
    all.add(new FoundSnapshot("tiers-8-of-another", "tsdb-1h", Instant.EPOCH));
    assertThat(old(3)).containsExactly("tsdb-20261118", "tsdb-uid-20261118", "tiers-7-2026-11-18");
    assertThat(old(1, KIND.night(LocalDate.parse("2026-11-19"))))
        .containsExactly(
            "tsdb-20261118",
            "tsdb-uid-20261118",
            "tiers-7-2026-11-18",
            "tsdb-20261120",
            "tsdb-uid-20261120");
    assertThat(old(4)).isEmpty();
  }

  /** Another program took the UID snapshots before or long after the data snapshots. */
  @Test
  void aNightGoesOrStaysAsAWhole() {
    take("tsdb", "2026-11-18");
    take("tsdb-uid", "2026-11-18", "2026-11-19T03:00:00Z");
    take("tsdb-uid", "2026-11-19", "2026-11-19T01:00:00Z");
    take("tsdb", "2026-11-19");
    take("tsdb-uid", "2026-11-20", "2026-11-19T01:10:00Z");
    take("tsdb", "2026-11-20");
    assertThat(old(2)).containsExactly("tsdb-20261118", "tsdb-uid-20261118");
    assertThat(old(1))
        .containsExactly(
            "tsdb-20261118", "tsdb-uid-20261118", "tsdb-uid-20261119", "tsdb-20261119");
  }

  @Test
  void whatIsNewerThanNowStaysAndDoesNotCount() {
    night("2026-11-20");
    night("2026-11-21");
    night("2026-11-25");
    assertThat(old(1)).containsExactly("tsdb-20261120", "tsdb-uid-20261120");
    assertThat(old(2)).isEmpty();
  }
}
