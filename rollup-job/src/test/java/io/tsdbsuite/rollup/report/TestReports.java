package io.tsdbsuite.rollup.report;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotFile.Half;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Plans, books and reports without a cluster. */
public final class TestReports {
  public static final Instant STARTED = Instant.parse("2026-11-20T03:00:00Z");

  private TestReports() {}

  public static RollupPartition partition(int index) {
    RegionPart part =
        new RegionPart(
            "0123456789abcdef0123456789abcdef",
            row(index),
            row(index + 1),
            List.of(
                new SnapshotFile(
                    "f" + index, "file:/data/f" + index, 1000 + index, Half.WHOLE, null),
                new SnapshotFile("r.p", "file:/data/r", 2000, Half.TOP, row(7))),
            true);
    return new RollupPartition(index, List.of(part), 256 << 20);
  }

  /** Salt, metric, base time and two tags, as long as a real one. */
  private static byte[] row(int number) {
    return ByteBuffer.allocate(20).putInt(16, number).array();
  }

  public static RollupPlan plan(int partitions) {
    return new RollupPlan(
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        IntStream.range(0, partitions).mapToObj(TestReports::partition).toList());
  }

  /** Books that close, of the size of a real partition's. */
  public static Books books(int number) {
    Books books = new Books();
    for (int row = 0; row < 2; row++) {
      books.rowRead();
      books.contents(3600 + number, 1, 0);
      books.rowEmitted(3599 + number, 0);
      books.rollups("1h", 1);
    }
    books.rowRead();
    books.rowSkipped(SkipReason.OUTSIDE_WINDOW, 0);
    books.rowRead();
    books.contents(4, 0, 0);
    books.rowFailed(FailReason.UNRESOLVED_UID, 4, "row of partition " + number);
    books.setAside(1, 0, 0, 2);
    books.messages(2, 2);
    books.storage(268_435_456 + number, 4096);
    return books;
  }

  /** The JSON of a report. */
  public static String json(RollupReport report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ReportJson.write(report, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  public static RunIdentity identity() {
    return new RunIdentity(
        "rollup-job 1.0", new TreeMap<>(Map.of("--topic", "rollups", "--from", "a")));
  }

  public static RollupReport report(
      ExitCode exitCode,
      RollupPlan plan,
      RunIdentity identity,
      FinishedPartitions finished,
      EarlierRuns earlier) {
    return new RollupReport(
        exitCode,
        "",
        STARTED,
        STARTED.plusSeconds(60),
        Map.of("snapshotRoot", "file:///backup"),
        Map.of(),
        "1h",
        Instant.EPOCH,
        Instant.EPOCH.plusSeconds(3600),
        HoldBack.none(),
        plan,
        finished == null ? new Books() : finished.books(),
        1,
        Map.of(),
        List.of(),
        identity,
        finished,
        earlier,
        null,
        List.of());
  }
}
