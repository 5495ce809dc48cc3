package io.tsdbsuite.bulk.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares reports with files, byte by byte. */
class BulkLoaderReportGoldenTest {
  private static final Instant STARTED = Instant.parse("2024-01-01T00:00:00Z");

  private static void compare(BulkLoaderReport report, String name) throws IOException {
    Path files = Path.of("src/test/resources/reports");
    Report written = report.report("0.1.0", List.of("--mode=put", "--skip=nan"));
    assertThat(written.jsonText()).isEqualTo(Files.readString(files.resolve(name + ".json")));
    assertThat(written.table().toString())
        .isEqualTo(Files.readString(files.resolve(name + ".txt")));
  }

  /** Every count has another value, so the books do not close. */
  private static Tally tally() {
    Tally tally = new Tally();
    long next = 1001;
    for (Count count : Count.values()) {
      tally.add(count, next++);
    }
    tally.add(Count.POINTS_READ, 1_000_000);
    for (RejectReason reason : RejectReason.values()) {
      tally.reject(reason, next++);
    }
    for (SkipKind kind : SkipKind.values()) {
      tally.skip(kind, next++);
    }
    tally.accept(20_000, 600);
    tally.accept(20_002, 390);
    return tally;
  }

  private static BulkLoaderReport full(ExitCode exitCode, String message, String stackTrace) {
    Tally before = new Tally();
    before.add(Count.POINTS_READ, 200);
    before.reject(RejectReason.BAD_TAGS, 2);
    PointsByMetric metrics = new PointsByMetric();
    for (int i = 0; i < 22; i++) {
      metrics.add("metric." + i, 30 + i);
    }
    return new BulkLoaderReport("resume", STARTED)
        .writing("put", "1700000000000")
        .inputs(
            IntStream.range(0, 7)
                .mapToObj(i -> new BulkLoaderReport.Input("in-" + i, 300L * i - 1))
                .toList())
        .tally(tally())
        .before(before)
        .metrics(metrics)
        .rejects(
            List.of(
                new RejectSample(RejectReason.BAD_VALUE, "in-1", 4, "a rule", "m 1 \"x\""),
                new RejectSample(RejectReason.BAD_TAGS, "in-2", 5, "another rule", "m 1 1")),
            List.of("rejects-0", "rejects-1"))
        .uids("metrics", 3)
        .uids("tagk", 2)
        .phase("read", Duration.ofMillis(6250))
        .phase("write", Duration.ofSeconds(2))
        .workDirectory("work")
        .warn("be careful")
        .warn("be very careful")
        .end(exitCode, message, stackTrace, STARTED.plusMillis(8500));
  }

  @Test
  void aLoadThatStopped() throws IOException {
    compare(full(ExitCode.OUTSIDE, "HBase is away", ""), "load-stopped");
  }

  @Test
  void booksThatDoNotClose() throws IOException {
    compare(full(ExitCode.DEFECT, "the books do not close", ""), "load-defect");
  }

  @Test
  void anException() throws IOException {
    compare(full(ExitCode.DEFECT, "a surprise", "at line 1\n"), "load-exception");
  }

  @Test
  void aLoadThatIsDone() throws IOException {
    Tally tally = new Tally();
    tally.add(Count.POINTS_READ, 1000);
    tally.add(Count.POINTS_WRITTEN, 993);
    tally.reject(RejectReason.ACTIVE_HOUR, 7);
    BulkLoaderReport report =
        new BulkLoaderReport("load", STARTED)
            .inputs(List.of(new BulkLoaderReport.Input("a.gz", 300)))
            .tally(tally)
            .end(ExitCode.DONE, "", "", STARTED.plusSeconds(8));
    compare(report, "load-done");
  }

  @Test
  void aLoadOfNothing() throws IOException {
    compare(
        new BulkLoaderReport("generate", STARTED).end(ExitCode.USAGE, "no table", "", STARTED),
        "load-empty");
  }
}
