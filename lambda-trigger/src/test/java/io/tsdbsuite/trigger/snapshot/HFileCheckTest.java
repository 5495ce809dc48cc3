package io.tsdbsuite.trigger.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.seed.Seed;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.Deadline.DeadlineException;
import io.tsdbsuite.trigger.snapshot.ManifestReader.Manifest;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class HFileCheckTest {
  private static final S3Location ROOT = S3Location.parse("s3://backup/hbase");
  private static final String ARCHIVE = "hbase/archive/data/default/tsdb/";
  private static final String DATA = "hbase/data/default/tsdb/";

  private final FakeS3 s3 = new FakeS3();
  private final NavigableMap<String, Long> expected = new TreeMap<>();

  private void check() {
    check(new Deadline(() -> 60_000));
  }

  private void check(Deadline deadline) {
    Manifest manifest = new Manifest(1, Map.of("default/tsdb", expected), Optional.empty());
    new HFileCheck(s3.store(), ROOT, "snap", deadline, 32).check(manifest);
  }

  @Test
  void allAreThere() {
    expected.put("r1/t/aa", 1L);
    expected.put("r2/t/bb", Manifest.UNKNOWN_SIZE);
    expected.put("r3/t/cc", 3L);
    s3.putSize(ARCHIVE + "r1/t/aa", 1);
    s3.putSize(ARCHIVE + "r2/t/bb", 17);
    s3.putSize(DATA + "r3/t/cc", 3);
    assertThatCode(this::check).doesNotThrowAnyException();
  }

  @Test
  void nothingIsExpected() {
    check();
    assertThat(s3.lists()).isZero();
  }

  @Test
  void missingAndOfAnotherSize() {
    for (int i = 0; i < 6; i++) {
      expected.put("r1/t/a" + i, 10L);
    }
    s3.putSize(ARCHIVE + "r1/t/a0", 10);
    s3.putSize(ARCHIVE + "r1/t/a1", 9);
    // A correct file elsewhere does not help: HBase and the job read the archive first.
    s3.putSize(DATA + "r1/t/a1", 10);
    s3.putSize(ARCHIVE + "r1/t/a3x", 10);
    assertThatThrownBy(this::check)
        .isInstanceOf(IncompleteSnapshotException.class)
        .hasMessage(
            "snapshot 'snap' is not whole: 5 of 6 HFiles are missing or have the wrong size: "
                + ARCHIVE
                + "r1/t/a1 has 9 bytes, but the manifest states 10; "
                + "archive/data/default/tsdb/r1/t/a2 is missing; "
                + "archive/data/default/tsdb/r1/t/a3 is missing; ...");
  }

  @Test
  void neverMoreRequestsThanPagesOrFiles() {
    for (int region = 0; region < 1000; region++) {
      for (int file = 0; file < 200; file++) {
        String key = String.format("%032x/t/%032x", region * 7919L, file);
        s3.putSize(ARCHIVE + key, 5);
        expected.put(key, 5L);
      }
    }
    check();
    // Each of up to 129 ranges may read part of a page in vain.
    assertThat(s3.lists()).isLessThanOrEqualTo(200 + 129);

    // A few files among years of others.
    int before = s3.lists();
    List<String> few =
        List.of(
            expected.firstKey(),
            expected.lastKey(),
            expected.ceilingKey(String.format("%032x", 500 * 7919L)));
    expected.keySet().retainAll(new TreeSet<>(few));
    check();
    assertThat(s3.lists() - before).isLessThanOrEqualTo(3);
  }

  @Test
  void anyOneOfManyIsMissed() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 7500; i++) {
      String key = String.format("%08x/t/%04x", random.nextInt(50), i);
      s3.putSize(ARCHIVE + key, i);
      if (random.nextInt(3) > 0) {
        expected.put(key, (long) i);
        keys.add(key);
      }
    }
    check();
    for (int i = 0; i < 50; i++) {
      String gone = keys.get(random.nextInt(keys.size()));
      s3.remove(ARCHIVE + gone);
      assertThatThrownBy(this::check)
          .as("seed %d", seed)
          .hasMessageContaining("1 of " + expected.size() + " HFiles")
          .hasMessageContaining(gone + " is missing");
      s3.putSize(ARCHIVE + gone, expected.get(gone));
    }
  }

  @Test
  void stopsBeforeItIsStopped() {
    expected.put("r1/t/aa", 1L);
    assertThatThrownBy(() -> check(new Deadline(() -> 4_999)))
        .isInstanceOf(DeadlineException.class)
        .hasMessageContaining("the check of snapshot 'snap' was stopped");
  }
}
