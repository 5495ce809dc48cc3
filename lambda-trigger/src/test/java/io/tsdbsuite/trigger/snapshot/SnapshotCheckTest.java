package io.tsdbsuite.trigger.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotCheckTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00.123Z");
  private static final Clock CLOCK = Clock.fixed(CREATED, ZoneOffset.UTC);
  private static final String ROOT = "hbase/";
  private static final String DATA = "hbase/.hbase-snapshot/tsdb-20261121/";

  private final FakeS3 s3 = new FakeS3();

  @BeforeEach
  void export() {
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED).put(s3, ROOT);
    TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", CREATED.plusSeconds(300)).put(s3, ROOT);
  }

  private WholeNight check() throws IOException {
    return new SnapshotCheck(s3.store(), TestSettings.trigger().backup(), CLOCK)
        .check(
            new Night(LocalDate.parse("2026-11-21"), "tsdb-20261121", "tsdb-uid-20261121"),
            new Deadline(() -> 60_000));
  }

  @Test
  void whole() throws IOException {
    WholeNight night = check();
    assertThat(night.snapshotTime()).isEqualTo(CREATED);
    assertThat(night.day()).isEqualTo("2026-11-20");
    assertThat(night.uidIsOlder()).isFalse();
    assertThat(night.data().files()).isEqualTo(2);
    assertThat(night.data().bytes()).isEqualTo(300);
    assertThat(night.data().regions()).isEqualTo(2);
    assertThat(night.data().etags()).hasSize(2).doesNotContainAnyElementsOf(night.uid().etags());
  }

  @Test
  void anyObjectThatIsMissing() {
    for (String key : s3.keys()) {
      FakeS3 without = new FakeS3();
      s3.keys().stream()
          .filter(other -> !other.equals(key))
          .forEach(other -> without.put(other, s3.bytes(other)));
      assertThatThrownBy(
              () ->
                  new SnapshotCheck(without.store(), TestSettings.trigger().backup(), CLOCK)
                      .check(
                          new Night(
                              LocalDate.parse("2026-11-21"), "tsdb-20261121", "tsdb-uid-20261121"),
                          new Deadline(() -> 60_000)))
          .as(key)
          .isInstanceOf(IncompleteSnapshotException.class);
    }
  }

  @Test
  void messages() {
    s3.remove(DATA + "data.manifest");
    assertThatThrownBy(this::check)
        .hasMessage(
            "snapshot 'tsdb-20261121' is not whole: s3://backup/"
                + DATA
                + "data.manifest does not exist");
    s3.put(DATA + ".snapshotinfo", new byte[] {10, 50, 1});
    assertThatThrownBy(this::check).hasMessageContaining(".snapshotinfo is cut off or damaged");
    s3.put(DATA + ".snapshotinfo", TestSnapshot.of("x", "tsdb-uid", CREATED).info());
    assertThatThrownBy(this::check)
        .hasMessage(
            "snapshot 'tsdb-20261121' is not whole: its table must be tsdb, found: tsdb-uid");
  }

  /** The master's clock was ahead: consumers would ignore the rollups of the next nights. */
  @Test
  void takenInTheFuture() throws IOException {
    // The UID snapshot of the other tests is as far ahead as clocks may differ.
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED.plusSeconds(300)).put(s3, ROOT);
    assertThat(check().snapshotTime()).isEqualTo(CREATED.plusSeconds(300));
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED.plusMillis(300_001)).put(s3, ROOT);
    assertThatThrownBy(this::check)
        .isInstanceOf(IncompleteSnapshotException.class)
        .hasMessage(
            "snapshot 'tsdb-20261121' is not whole: its creation time 2026-11-21T00:35:00.124Z is"
                + " in the future, it is 2026-11-21T00:30:00.123Z: correct the clock of HBase's"
                + " master");
  }
}
