package io.tsdbsuite.bulk.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkLoaderReportTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  @TempDir Path directory;

  private static Tally books() {
    Tally tally = new Tally();
    tally.add(Count.BYTES_READ, 5000);
    tally.add(Count.LINES_READ, 1010);
    tally.add(Count.LINES_WITHOUT_POINT, 10);
    tally.add(Count.POINTS_READ, 1000);
    tally.add(Count.POINTS_WRITTEN, 900);
    tally.add(Count.DUPLICATES_IDENTICAL, 40);
    tally.add(Count.DUPLICATES_CONFLICTING, 30);
    tally.add(Count.ALREADY_STORED, 15);
    tally.add(Count.SUPERSEDED_BY_STORED, 5);
    tally.reject(RejectReason.BAD_VALUE, 7);
    tally.reject(RejectReason.ACTIVE_HOUR, 3);
    tally.add(Count.ROWS_WRITTEN, 20);
    return tally;
  }

  @Test
  void anInputWithoutPointsToLoadIsAWarning() {
    Tally read = new Tally();
    assertThat(warnings(read)).containsExactly("no point was read: the input has none");
    read.add(Count.POINTS_READ, 3);
    read.skip(SkipKind.STRINGS, 2);
    assertThat(warnings(read)).isEmpty();
    read.skip(SkipKind.NAN, 1);
    assertThat(warnings(read))
        .containsExactly("no point was loaded: --skip has left out all that were read, 3");
  }

  private static List<String> warnings(Tally read) {
    BulkLoaderReport report = new BulkLoaderReport("load", START);
    report.warnIfEmpty(read);
    List<String> warnings = new ArrayList<>();
    for (JsonNode warning : report.report("", List.of()).json().path("warnings")) {
      warnings.add(warning.textValue());
    }
    return warnings;
  }

  private BulkLoaderReport report(Tally tally) {
    Tally before = new Tally();
    before.add(Count.POINTS_READ, 200);
    try (RejectFile file = RejectFile.create(directory.resolve("r"), 5)) {
      byte[] text = "m 1 x".getBytes(StandardCharsets.UTF_8);
      file.batch()
          .reject(
              RejectReason.BAD_VALUE, RejectForm.JSON, "a.gz", 4, "a rule", text, 0, text.length);
      return new BulkLoaderReport("load", START)
          .writing("put", "1700000000000")
          .inputs(
              List.of(new BulkLoaderReport.Input("a.gz", 300), new BulkLoaderReport.Input("-", -1)))
          .workDirectory("work")
          .before(before)
          .tally(tally)
          .rejects(file)
          .uids("metrics", 3)
          .uids("tagk", 2)
          .phase("read", Duration.ofSeconds(6))
          .phase("write", Duration.ofMillis(1500))
          .phase("write", Duration.ofMillis(500))
          .warn("be careful")
          .end(ExitCode.DONE, "", "", START.plusSeconds(8));
    }
  }

  private static Report written(BulkLoaderReport report) {
    return report.report("0.1.0", List.of("--mode=put", "--skip=nan"));
  }

  private static String json(BulkLoaderReport report) {
    return written(report).jsonText();
  }

  private static String table(BulkLoaderReport report) {
    return written(report).table().toString();
  }

  @Test
  void pointsByMetricAndDayAreBothAllAcceptedPoints() throws IOException {
    Tally tally = books();
    tally.accept(20_000, 600);
    tally.accept(20_002, 390);
    PointsByMetric metrics = new PointsByMetric();
    for (int i = 0; i < 30; i++) {
      metrics.add("metric." + i, 30 + i % 2 * 6);
    }
    BulkLoaderReport report =
        new BulkLoaderReport("load", START)
            .tally(tally)
            .metrics(metrics)
            .end(ExitCode.DONE, "", "", START.plusSeconds(8));

    JsonNode points = new ObjectMapper().readTree(json(report)).path("points");

    assertThat(points.path("accepted").longValue()).isEqualTo(990);
    assertThat(points.at("/byMetric/metrics").longValue()).isEqualTo(30);
    assertThat(points.at("/byMetric/exact").booleanValue()).isTrue();
    assertThat(points.at("/byMetric/largest")).hasSize(20);
    assertThat(points.at("/byMetric/largest/0").toString())
        .isEqualTo("{\"metric\":\"metric.1\",\"points\":36}");
    assertThat(points.at("/byMetric/largest/15/points").longValue()).isEqualTo(30);
    assertThat(points.at("/byMetric/others").longValue()).isEqualTo(10 * 30);
    assertThat(points.at("/byTime").toString())
        .isEqualTo("{\"unit\":\"day\",\"points\":{\"2024-10-04\":600,\"2024-10-06\":390}}");
  }

  @Test
  void aReportWithoutAllOfTheInputHasNoPointsByMetric() throws IOException {
    assertThat(new ObjectMapper().readTree(json(report(books()))).has("points")).isFalse();
  }

  @Test
  void jsonHasAll() throws IOException {
    String written = json(report(books()));
    assertThat(written).endsWith("}\n").contains("\n  \"v\" : 1,");
    JsonNode json = new ObjectMapper().readTree(written);
    assertThat(json.at("/report").textValue()).isEqualTo("bulk-loader");
    assertThat(json.at("/outcome").textValue()).isEqualTo("done");
    assertThat(json.at("/version").textValue()).isEqualTo("0.1.0");
    assertThat(json.at("/options").toString()).isEqualTo("[\"--mode=put\",\"--skip=nan\"]");
    assertThat(json.at("/exitCode").intValue()).isZero();
    assertThat(json.at("/booksClose").booleanValue()).isTrue();
    assertThat(json.at("/counts/pointsWritten").longValue()).isEqualTo(900);
    assertThat(json.at("/counts/pointsRejected").longValue()).isEqualTo(10);
    assertThat(json.at("/counts/rejected/badValue").longValue()).isEqualTo(7);
    assertThat(json.at("/counts/rejected/badTags").longValue()).isZero();
    assertThat(json.at("/counts/rejected/badTags").isMissingNode()).isFalse();
    assertThat(json.at("/resumed").booleanValue()).isTrue();
    assertThat(json.at("/perSecond/pointsRead").longValue()).isEqualTo(100);
    assertThat(json.at("/perSecond/pointsWritten").longValue()).isEqualTo(113);
    assertThat(json.at("/input/files").intValue()).isEqualTo(2);
    assertThat(json.at("/input/bytes").longValue()).isEqualTo(300);
    assertThat(json.at("/uidsAssigned/metrics").longValue()).isEqualTo(3);
    assertThat(json.at("/secondsByPhase/write").doubleValue()).isEqualTo(2.0);
    assertThat(json.at("/rejectedSamples/0/line").longValue()).isEqualTo(4);
    assertThat(json.at("/warnings/0").textValue()).isEqualTo("be careful");
  }

  @Test
  void tableIsASum() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      Tally tally = books();
      tally.add(Count.POINTS_READ, random.nextInt(3) - 1);
      tally.add(Count.ALREADY_STORED, random.nextInt(1000));
      tally.reject(RejectReason.BAD_TAGS, random.nextInt(10));
      BulkLoaderReport report = report(tally);
      String table = table(report);
      assertThat(read(table, "points read") - sum(table, "^ +- .*? +([-\\d,]+)$"))
          .as("seed %d: %s", seed, table)
          .isEqualTo(read(table, "= missing"))
          .isEqualTo(tally.missing());
      assertThat(table).contains(report.booksClose() ? "books            close" : "DO NOT CLOSE");
    }
  }

  @Test
  void tableNamesWhatMatters() {
    String table = table(report(books()));
    assertThat(table)
        .contains("a.gz:4 badValue: a rule: m 1 x")
        .contains("UIDs assigned    metrics")
        .contains("warning          be careful")
        .contains("outcome          done")
        .containsPattern("- rejected +10\n.* +bad value +7\n.* +active hour +3\n")
        .doesNotContain("bad tags");
    BulkLoaderReport failed =
        new BulkLoaderReport("load", START).end(ExitCode.OUTSIDE, "HBase is away", "", START);
    assertThat(table(failed)).contains("outcome          exit code 3: HBase is away");
    assertThat(failed.perSecond(Count.POINTS_READ)).isZero();
  }

  @Test
  void theLastLineTellsWhenASnapshotMayBeTaken() throws IOException {
    BulkLoaderReport unmasked = report(books());
    assertThat(table(unmasked)).endsWith("outcome          done\n");
    assertThat(new ObjectMapper().readTree(json(unmasked)).at("/snapshotFrom").textValue())
        .isEmpty();
    BulkLoaderReport masked =
        new BulkLoaderReport("load", START)
            .snapshotFrom(Instant.parse("2026-11-26T12:01:05Z"))
            .end(ExitCode.DONE, "", "", START);
    assertThat(table(masked))
        .contains("outcome          done\nsnapshot         for rollup-job: take it at ")
        .contains(" 2026-11-26T12:01:05Z or later");
    assertThat(new ObjectMapper().readTree(json(masked)).at("/snapshotFrom").textValue())
        .isEqualTo("2026-11-26T12:01:05Z");
  }

  @Test
  void whatEndsEarlyHasOpenBooks() {
    Tally tally = books();
    tally.add(Count.POINTS_READ, 5);
    BulkLoaderReport refused =
        new BulkLoaderReport("load", START)
            .tally(tally)
            .end(ExitCode.BAD_INPUT, "a conflict", "", START);
    assertThat(table(refused))
        .containsPattern("= not settled +5\n")
        .contains("books            open: ")
        .doesNotContain("CLOSE");
  }

  @Test
  void booksThatDoNotCloseAreADefect() throws IOException {
    Tally tally = books();
    tally.add(Count.POINTS_READ, 5);
    BulkLoaderReport report = new BulkLoaderReport("load", START).tally(tally).closed(null, START);
    assertThat(report.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(report.message()).contains("the books do not close").contains("5");
    JsonNode json = new ObjectMapper().readTree(json(report));
    assertThat(json.at("/state").textValue()).isEqualTo("ended");
    assertThat(json.at("/exitCode").intValue()).isEqualTo(4);
    assertThat(json.at("/outcome").textValue()).isEqualTo("defect");
  }

  @Test
  void aDefectBringsItsStack() throws IOException {
    JobException failure = Defects.of(new IllegalStateException("a surprise"));
    BulkLoaderReport report =
        new BulkLoaderReport("load", START).tally(books()).closed(failure, START);
    JsonNode json = new ObjectMapper().readTree(json(report));
    assertThat(json.at("/exitCode").intValue()).isEqualTo(4);
    assertThat(json.at("/stackTrace").textValue()).contains("aDefectBringsItsStack");
    BulkLoaderReport outside =
        new BulkLoaderReport("load", START)
            .closed(JobException.outside("away", new IOException("away")), START);
    assertThat(outside.stackTrace()).isEmpty();
  }

  private static long read(String table, String name) {
    return sum(table, "^.*" + Pattern.quote(name) + " +([-\\d,]+)$");
  }

  private static long sum(String table, String line) {
    Matcher matcher = Pattern.compile(line, Pattern.MULTILINE).matcher(table);
    long sum = 0;
    while (matcher.find()) {
      sum += Long.parseLong(matcher.group(1).replace(",", ""));
    }
    return sum;
  }
}
