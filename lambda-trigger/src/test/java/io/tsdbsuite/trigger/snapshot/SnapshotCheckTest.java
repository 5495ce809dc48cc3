package io.tsdbsuite.trigger.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotCheckTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00.123Z");
  private static final String ROOT = "hbase/";
  private static final String DATA = "hbase/.hbase-snapshot/tsdb-20261121/";

  private final FakeS3 s3 = new FakeS3();

  @BeforeEach
  void export() {
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED).put(s3, ROOT);
    TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", CREATED.plusSeconds(300)).put(s3, ROOT);
  }

  private WholeNight check() throws IOException {
    return new SnapshotCheck(s3.store(), TestSettings.trigger().backup())
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
                  new SnapshotCheck(without.store(), TestSettings.trigger().backup())
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
}
