package io.tsdbsuite.report.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line says before anything is read. */
class SeriesReportTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path dir;

  private int run(String... args) {
    out.reset();
    err.reset();
    Clock clock = Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);
    return SeriesReport.run(args, clock, out, new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** What the JVM makes of an é in the locale C. */
  @Test
  void wordsThatTheJvmCouldNotRead() {
    assertThat(run("stopped", "--metric=adv.g\uFFFD\uFFFDn")).isEqualTo(ExitCode.USAGE.code());
    assertThat(err())
        .startsWith("series-report: the command line must have only characters of the locale's");
  }

  @Test
  void allProblemsAtOnce() throws IOException {
    Path conf = Files.writeString(dir.resolve("opentsdb.conf"), "tsd.storage.uid.width.tagv = 9\n");
    int rc =
        run(
            "stopped",
            "--tsd-config=" + conf,
            "--hours=0",
            "--grace=2x",
            "--timeout=0s",
            "--root-dir=s3a://b/hbase",
            "--tag=host",
            "--tag=a=b",
            "--tag=a=c",
            "--limit=-1",
            "--format=xml",
            "--sort=size",
            "--output=" + dir.resolve("none").resolve("report.csv"));
    assertThat(rc).isEqualTo(ExitCode.USAGE.code());
    assertThat(err().lines())
        .containsExactly(
            "series-report: --hours must be a whole number of hours, 1 or more, at most 100 years,"
                + " found: 0",
            "series-report: --grace must be a number with s, m, h, d or w, at most 100 years,"
                + " found: 2x",
            "series-report: --tsd-config: tsd.storage.uid.width.tagv: must be a whole number from 1"
                + " to 8, found '9'",
            "series-report: --timeout must be longer than nothing, found: 0s",
            "series-report: --root-dir goes with --snapshot only, found: s3a://b/hbase",
            "series-report: --tag must be KEY=VALUE, found: host",
            "series-report: --tag must name a key once, found twice: a",
            "series-report: --limit must be a whole number, 1..2147483647, found: -1",
            "series-report: --sort must be row-key or last-received, found: size",
            "series-report: --format must be table, csv or json, found: xml",
            "series-report: --output must be in a directory that is there, found: "
                + dir.resolve("none").resolve("report.csv"));
    assertThat(out.size()).isZero();
  }

  @Test
  void anAddressThatCannotBeIsNamed() throws IOException {
    Path conf =
        Files.writeString(dir.resolve("opentsdb.conf"), "tsd.storage.hbase.zk_quorum = zk:0\n");
    assertThat(run("idle", "--tsd-config=" + conf)).isEqualTo(ExitCode.USAGE.code());
    assertThat(err())
        .contains("--tsd-config: tsd.storage.hbase.zk_quorum: a port must be from 1 to 65535");
  }

  @Test
  void keysThatNoReportNeedsDoNotStopIt() throws IOException {
    Path conf =
        Files.writeString(
            dir.resolve("opentsdb.conf"),
            "tsd.storage.salt.width = x\ntsd.storage.uid.width.metric = 0\n");
    assertThat(run("idle", "--tsd-config=" + conf)).isEqualTo(ExitCode.USAGE.code());
    assertThat(err())
        .contains("--tsd-config: tsd.storage.uid.width.metric: must be a whole number from 1 to 8")
        .doesNotContain("salt");
  }

  @Test
  void aFileThatCannotBeReadIsNamedWithoutAClass() {
    assertThat(run("idle", "--tsd-config=" + dir)).isEqualTo(ExitCode.USAGE.code());
    assertThat(err()).contains("--tsd-config " + dir + " cannot be read: Is a directory");
    assertThat(run("idle", "--tsd-config=" + dir.resolve("none"))).isEqualTo(2);
    assertThat(err())
        .contains("none cannot be read: there is no such file")
        .doesNotContain("Exception", "java.");
  }

  @Test
  void snapshotsNeedTheirOptions() {
    assertThat(run("idle", "--snapshot=m", "--uid-widths=3,3", "--root-dir=/hbase")).isEqualTo(2);
    assertThat(err())
        .contains("--uid-snapshot is required with --snapshot")
        .contains("--root-dir must have its scheme")
        .contains("--uid-widths must be three widths");
  }

  @Test
  void oneSourceMustBeGiven() {
    assertThat(run("idle")).isEqualTo(2);
    assertThat(err()).contains("a source is required: --tsd-config for the running HBase");
  }

  @Test
  void graceMustBeShorter() {
    assertThat(run("stopped", "--tsd-config=none", "--hours=2")).isEqualTo(2);
    assertThat(err())
        .contains("--grace must be shorter than --hours, found: 2h and 2 hours")
        .contains("--tsd-config none cannot be read: there is no such file");
  }

  @Test
  void sortingNeedsALimit() {
    assertThat(run("idle", "--sort=last-received")).isEqualTo(2);
    assertThat(err()).contains("--sort last-received needs --limit");
    assertThat(run("idle", "--sort=last-received", "--group-by=host")).isEqualTo(2);
    assertThat(err()).contains("--sort last-received does not go with --group-by");
  }

  @Test
  void unknownOptionsShowTheUsage() {
    assertThat(run("idle", "--dyas=3")).isEqualTo(2);
    assertThat(err()).contains("--dyas=3").contains("Usage: series-report idle");
    assertThat(run()).isEqualTo(2);
    assertThat(err()).contains("a report is required: idle or stopped");
  }

  @Test
  void aMisspelledOptionIsNotTheValueOfTheOptionBefore() {
    assertThat(run("idle", "--metric", "--dyas=3")).isEqualTo(2);
    assertThat(err()).contains("--dyas=3").contains("Usage: series-report idle");
  }

  /** A clock that fails stands for any failure. */
  private int run(Supplier<Instant> failing) {
    Clock clock =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return failing.get();
          }
        };
    PrintStream messages = new PrintStream(err, true, StandardCharsets.UTF_8);
    return SeriesReport.run(new String[] {"idle", "--tsd-config=none"}, clock, out, messages);
  }

  @Test
  void tooLittleMemoryIsToldSo() {
    int exitCode =
        run(
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    assertThat(exitCode).isEqualTo(ExitCode.DEFECT.code());
    assertThat(err())
        .isEqualTo(
            "series-report: the memory did not suffice (Java heap space): raise the heap,"
                + " JAVA_OPTS=-Xmx4g\n");
  }

  @Test
  void anUnexpectedExceptionIsADefect() {
    int exitCode =
        run(
            () -> {
              throw new IllegalStateException("no time");
            });
    assertThat(exitCode).isEqualTo(ExitCode.DEFECT.code());
    assertThat(err())
        .contains("series-report: a defect of series-report: java.lang.IllegalStateException: no")
        .contains("\tat ");
  }

  @Test
  void helpIsOnStandardOutput() {
    assertThat(run("--help")).isEqualTo(0);
    assertThat(out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " "))
        .contains("Exit codes: 0 done; 1 a snapshot")
        .contains("4 too little memory (the message says so), or a defect of series-report");
    assertThat(run("stopped", "--help")).isEqualTo(0);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--grace").contains("--group-by");
    assertThat(run("--version")).isEqualTo(0);
    assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("series-report (not packaged)\n");
    assertThat(run("stopped", "--version")).isEqualTo(0);
    assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("series-report (not packaged)\n");
  }
}
