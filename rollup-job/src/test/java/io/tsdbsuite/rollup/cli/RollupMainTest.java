package io.tsdbsuite.rollup.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.report.TestReports;
import io.tsdbsuite.rollup.resume.RunReports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What a user sees before any work begins. */
class RollupMainTest {
  private static final String ROLLUP_CONFIG =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
        {"table":"tsdb","preAggregationTable":"tsdb-preagg",
          "interval":"1m","rowSpan":"1h","defaultInterval":true},
        {"table":"tsdb-rollup-10m","preAggregationTable":"tsdb-rollup-agg-10m",
          "interval":"10m","rowSpan":"1d"},
        {"table":"tsdb-rollup-5h","preAggregationTable":"tsdb-rollup-agg-5h",
          "interval":"5h","rowSpan":"1n"},
        {"table":"tsdb-rollup-60m","preAggregationTable":"tsdb-rollup-agg-60m",
          "interval":"60m","rowSpan":"1d"},
        {"table":"tsdb-rollup-1h","preAggregationTable":"tsdb-rollup-agg-1h",
          "interval":"1h","rowSpan":"1d"},
        {"table":"tsdb-rollup-1d","preAggregationTable":"tsdb-rollup-agg-1d",
          "interval":"1d","rowSpan":"1n"},
        {"table":"tsdb-rollup-6h","preAggregationTable":"tsdb-rollup-agg-6h",
          "interval":"6h","rowSpan":"1n"}]}
      """;

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(String... args) {
    return runAt("2026-11-20T03:00:00Z", args);
  }

  private ExitCode runAt(String now, String... args) {
    Clock clock = Clock.fixed(Instant.parse(now), ZoneOffset.UTC);
    return new RollupMain(new PrintWriter(out, true), new PrintWriter(err, true), clock).run(args);
  }

  private List<String> good() throws IOException {
    Path rollups = Files.writeString(directory.resolve("rollup_config.json"), ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    return new ArrayList<>(
        List.of(
            "--snapshot-root=file:///backup",
            "--data-snapshot=data",
            "--uid-snapshot=uid",
            "--tsd-config=" + conf,
            "--day=2025-11-19",
            "--kafka-bootstrap=localhost:1",
            "--topic=rollups"));
  }

  private ExitCode runGoodWith(String... more) throws IOException {
    List<String> args = good();
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  @Test
  void helpNamesEveryOptionAndExitCode() {
    assertThat(run("--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString())
        .contains("--snapshot-root", "--uid-source", "--day", "--max-failed-rows", "--dry-run")
        .contains(
            "--kafka-property", "--max-messages-per-second", "--output", "--report", "--resume")
        .contains("Exit codes:")
        .doesNotContain("${");
  }

  @Test
  void theCoverageTableNeedsALiveHBase() throws IOException {
    String only =
        "--hbase-property goes with --uid-source hbase, --sink hfile and --coverage-table";
    assertThat(runGoodWith("--hbase-property=a=b", "--max-failed-rows=-1"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(only);
    assertThat(runGoodWith("--hbase-property=a=b", "--coverage-table=a b"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().split(only, -1)).as("not again").hasSize(2);
    assertThat(err.toString()).contains("--coverage-table must be the name of a table, found: a b");
  }

  @Test
  void helpOfACommand() {
    assertThat(run("help", "verify")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString())
        .contains("Usage: rollup-job verify [OPTIONS]")
        .contains("--against-snapshot");
    // The example comes before the options.
    assertThat(out.toString().indexOf("spark-submit"))
        .isLessThan(out.toString().indexOf("--snapshot-root=URI"));
    assertThat(run("help", "verfiy")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).isEqualTo("rollup-job: Unknown subcommand 'verfiy'.\n");
  }

  @Test
  void everyProblemIsToldAtOnce() {
    assertThat(
            run(
                "--snapshot-rot=x",
                "--max-failed-rows=many",
                "--sink=files",
                "--from=2025-11-20",
                "--to=2025-11-19"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--snapshot-rot")
        .contains("many")
        .contains("files")
        .contains("--snapshot-root is required")
        .contains("--data-snapshot is required")
        .contains("--tsd-config is required")
        .contains("--from must be before --to, found: 2025-11-20 and 2025-11-19")
        .contains("Nothing was read or written");
    assertThat(out.toString()).isEmpty();
  }

  /** Its output has the intervals of the option; the other sinks write the TSD's. */
  @Test
  void onlyJsonNeedsNoRollupConfiguration() throws IOException {
    List<String> args = good();
    Path conf = Files.writeString(directory.resolve("plain.conf"), "tsd.mode = rw\n");
    args.replaceAll(arg -> arg.startsWith("--tsd-config=") ? "--tsd-config=" + conf : arg);
    String required = "a rollup configuration is required: --rollup-config, or tsd.rollups.config";
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(required);
    args.removeIf(arg -> arg.startsWith("--kafka") || arg.startsWith("--topic"));
    args.addAll(List.of("--sink=json", "--output=" + directory.resolve("out"), "--interval=7m"));
    err.getBuffer().setLength(0);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("7m").doesNotContain(required);
  }

  @Test
  void anUnknownOptionIsAnError() throws IOException {
    assertThat(runGoodWith("--treads=4")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--treads");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--topic", "--data-snapshot", "--metrics", "--target-snapshot", "--hfile-dir"})
  void anOptionValueIsNoSubcommand(String option) {
    for (String name : List.of("load", "verify")) {
      err.getBuffer().setLength(0);
      assertThat(run("--day=2025-11-19", option, name)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .startsWith("rollup-job: ")
          .contains("--snapshot-root is required", "--tsd-config is required")
          .doesNotContain("Unmatched", "found before it", option + " is required")
          .doesNotContain("Expected parameter");
    }
    assertThat(run("verify", "--against-snapshot", "load", "--metrics", "verify", "--sample", "2"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("rollup-job verify: ", "--sample must be a part of the series")
        .doesNotContain("Unmatched", "Expected parameter");
  }

  @Test
  void anUnknownFirstWordIsNamed() {
    assertThat(run("laod", "--hfile-dir=x")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith("rollup-job: ").contains("Unmatched argument", "'laod'");
  }

  @Test
  void optionsBeforeASubcommandAreNotIgnored() {
    assertThat(run("--day=2025-11-19", "--tsd.storage.salt.width=1", "load", "--hfile-dir=x"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("rollup-job load: ")
        .contains(
            "options must follow load, found before it: --day, --tsd.storage.salt.width",
            "--tsd-config is required")
        .doesNotContain("--hfile-dir is required");
  }

  @Test
  void helpListsTheSubcommands() {
    assertThat(run("--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches(" +load +Loads the HFiles .*"))
        .anyMatch(line -> line.matches(" +verify +Compares stored rollups .*"));
  }

  @Test
  void aMissingConfigurationFileIsNamed() throws IOException {
    List<String> args = good();
    args.replaceAll(a -> a.startsWith("--tsd-config") ? "--tsd-config=/no/such.conf" : a);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--tsd-config /no/such.conf", "there is no such file");
  }

  @Test
  void theAddressOfHBaseIsChecked() throws IOException {
    List<String> args = good();
    Files.writeString(
        directory.resolve("opentsdb.conf"),
        "tsd.storage.hbase.zk_quorum = zk1:x\ntsd.storage.hbase.zk_basedir = hbase\n");
    args.replaceAll(a -> a.startsWith("--uid-snapshot") ? "--uid-source=hbase" : a);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--tsd-config: tsd.storage.hbase.zk_quorum: a port must be", "found 'zk1:x'")
        .contains("--tsd-config: tsd.storage.hbase.zk_basedir: a path must begin with /");
  }

  @Test
  void schemaKeysCanBeOverriddenAndAreChecked() throws IOException {
    assertThat(runGoodWith("--tsd.storage.uid.width.metric=9", "--tsd.storage.salt.width=x"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("tsd.storage.uid.width.metric", "9")
        .contains("tsd.storage.salt.width");
  }

  @Test
  void everyProblemOfTheIntervalsIsToldAtOnce() throws IOException {
    List<String> args = good();
    args.replaceAll(a -> a.startsWith("--day") ? "--from=2025-11-19T05:00:00Z" : a);
    args.addAll(List.of("--to=2025-11-20", "--interval=1h,5m,10m", "--interval=5h,1d,6h,10m"));
    args.addAll(List.of("--interval=60m", "--interval=1m"));
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("6 problems")
        .contains("must be one of rollup_config.json (1m, 10m, 5h, 60m, 1h, 1d, 6h), found: 5m")
        .contains(
            "--interval must divide the hour, or be whole hours that divide the day, found: 5h")
        .contains(
            "--interval must not have an interval twice, found: 1h,5m,10m,5h,1d,6h,10m,60m,1m")
        .contains("--interval must not have two intervals of one length, found: 1h and 60m")
        .contains("must not be the defaultInterval of rollup_config.json, whose table tsdb is")
        .contains(
            "--interval 6h,1d needs whole days: --from and --to must be midnight, UTC, found:"
                + " 2025-11-19T05:00:00Z and 2025-11-20T00:00:00Z");
  }

  @Test
  void severalIntervalsInAnyOrderAreOneRun() throws IOException {
    Path report = report(ExitCode.OUTSIDE);
    runGoodWith("--resume=" + report, "--interval=1d,10m", "--interval=1h");
    assertThat(err.toString()).contains("--interval was '1h', is '10m,1h,1d' now");
  }

  @Test
  void optionsOfTheOtherSinkAreRefused() throws IOException {
    assertThat(
            runGoodWith(
                "--sink=json",
                "--output=x",
                "--kafka-property=linger.ms=5",
                "--max-messages-per-second=10"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--topic goes with --sink kafka only")
        .contains("--kafka-property goes with --sink kafka only")
        .contains("--max-messages-per-second goes with --sink kafka only");
  }

  @Test
  void kafkaGuaranteesCannotBeWeakened() throws IOException {
    assertThat(runGoodWith("--kafka-property", "acks=1")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("acks=1 is refused");
  }

  /** A window that ends at 2025-11-20T00:00:00Z, with 2d of delaySla. */
  private ExitCode runDelayedAt(String now, String... more) throws IOException {
    List<String> args = good();
    String delayed =
        ROLLUP_CONFIG.replace("\"interval\":\"1h\",", "\"interval\":\"1h\",\"delaySla\":\"2d\",");
    args.add("--rollup-config=" + Files.writeString(directory.resolve("delayed.json"), delayed));
    args.addAll(List.of(more));
    return runAt(now, args.toArray(String[]::new));
  }

  @Test
  void aWindowThatEndsTooLateIsRefusedWithTheOtherProblems() throws IOException {
    assertThat(runDelayedAt("2025-11-20T00:59:59Z", "--max-failed-rows=-1"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("2 problems")
        .contains("--max-failed-rows must be 0 or more, found: -1")
        .contains(
            "the window 2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z must end 1h (--hold-back)"
                + " before now, 2025-11-20T00:59:59Z")
        .contains("the newest allowed now is --to 2025-11-19T23:00:00Z or --day 2025-11-18;")
        .contains("--allow-incomplete")
        .contains("Nothing was read or written");
  }

  /** README's command, an hour after midnight: how late rollups may be is the TSDs' affair. */
  @Test
  void theDelaySlaHoldsNothingBack() throws IOException {
    runDelayedAt("2025-11-20T01:00:00Z");
    assertThat(err.toString()).doesNotContain("must end").contains("spark-submit");
  }

  /** A day ends at midnight. */
  @Test
  void theNewestWindowIsOfWholeDays() throws IOException {
    runDelayedAt("2025-11-20T00:59:59Z", "--interval=10m,1h,1d");
    assertThat(err.toString())
        .contains("the newest allowed now is --to 2025-11-19T00:00:00Z or --day 2025-11-18;");
  }

  @Test
  void theHoldBackCanBeChosen() throws IOException {
    runDelayedAt("2025-11-20T03:10:00Z", "--hold-back=3h");
    runDelayedAt("2025-11-20T00:00:00Z", "--hold-back=0s");
    runDelayedAt("2025-11-19T03:10:00Z", "--allow-incomplete");
    assertThat(err.toString()).doesNotContain("must end").contains("spark-submit");
    runDelayedAt("2025-11-20T03:10:00Z", "--hold-back=4h");
    assertThat(err.toString()).contains("must end 4h (--hold-back) before now");
    runDelayedAt("2025-11-19T23:59:59Z", "--hold-back=0s");
    assertThat(err.toString()).contains("must end 0s (--hold-back) before now");
    runDelayedAt("2025-11-20T03:10:00Z", "--hold-back=soon");
    assertThat(err.toString()).contains("--hold-back must be a number", "found: soon");
    runDelayedAt("2025-11-20T03:10:00Z", "--hold-back=1h", "--allow-incomplete");
    assertThat(err.toString()).contains("--hold-back does not go with --allow-incomplete");
  }

  @Test
  void withoutSparkSubmitTheMessageSaysSo() throws IOException {
    assertThat(runGoodWith()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("spark-submit");
  }

  /** The identity of the run that {@link #good} asks for. */
  private RunIdentity identity() throws IOException {
    return identity(good());
  }

  private RunIdentity identity(List<String> args) {
    RollupCommand command = new RollupCommand();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(args.toArray(String[]::new));
    return command.identity(read(command, Instant.parse("2026-11-20T03:00:00Z")));
  }

  private RollupOptions read(RollupCommand command, Instant now) {
    Problems problems = new Problems();
    return command.read(
        command.common(
            new Invocation(
                "test",
                new PrintWriter(out),
                new PrintWriter(err),
                Clock.fixed(now, ZoneOffset.UTC),
                Map.of(),
                problems)),
        problems);
  }

  private Path report(ExitCode exitCode) throws IOException {
    return report(exitCode, identity());
  }

  private Path report(ExitCode exitCode, RunIdentity identity) throws IOException {
    RollupReport report =
        TestReports.report(exitCode, null, identity, new FinishedPartitions(), null);
    return Files.writeString(directory.resolve("report.json"), TestReports.json(report));
  }

  @Test
  void aReportToResumeMustBeThere() throws IOException {
    assertThat(runGoodWith("--resume=/no/such/report.json")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--resume /no/such/report.json: there is no such file");
  }

  @Test
  void aReportToResumeMustBeAReportOfThisVersion() throws IOException {
    Path other = Files.writeString(directory.resolve("other.json"), "{\"rows\":1}");
    assertThat(runGoodWith("--resume=" + other)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--resume " + other + " is not a report of this job");
    Path old = report(ExitCode.OUTSIDE);
    Files.writeString(old, Files.readString(old).replace("\"v\" : 3", "\"v\" : 2"));
    assertThat(runGoodWith("--resume=" + old)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("must be a report of version 3, found version 2");
  }

  @Test
  void aResumedRunMustBeTheSame() throws IOException {
    Path report = report(ExitCode.OUTSIDE);
    assertThat(
            runGoodWith(
                "--resume=" + report,
                "--tsd.storage.salt.width=1",
                "--interval=10m",
                "--metrics=sys.*",
                "--format=aggregate",
                "--partition-size=64",
                "--max-failed-rows=5",
                "--max-messages-per-second=100"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines())
        .hasSize(5)
        .anyMatch(line -> line.contains("--tsd.storage.salt.width was '0', is '1' now"))
        .anyMatch(line -> line.contains("--interval was '1h', is '10m' now"))
        .anyMatch(line -> line.contains("--metrics was '', is 'sys.*' now"))
        .anyMatch(line -> line.contains("--format was 'rollup', is 'aggregate' now"))
        .anyMatch(line -> line.contains("--partition-size was '256.0', is '64.0' now"));
  }

  @Test
  void aResumedRunMayHaveOtherLimits() throws IOException {
    Path report = report(ExitCode.OUTSIDE);
    runGoodWith(
        "--resume=" + report,
        "--max-failed-rows=5",
        "--max-messages-per-second=100",
        "--kafka-property=linger.ms=5");
    assertThat(err.toString()).contains("spark-submit").doesNotContain("--resume");
  }

  @Test
  void aRunThatIsDoneIsNotResumed() throws IOException {
    Path report = report(ExitCode.DONE);
    String before = Files.readString(report);
    assertThat(runGoodWith("--resume=" + report)).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains(report.toString(), "nothing is left");
    assertThat(err.toString()).isEmpty();
    assertThat(Files.readString(report)).isEqualTo(before);
    assertThat(runGoodWith("--resume=" + report, "--metrics=x")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--metrics was '', is 'x' now");
  }

  private void writeReport(String name, ExitCode exitCode, String taken) throws IOException {
    RunIdentity work = identity();
    RunIdentity identity =
        new RunIdentity(
            work.version(), work.options(), Map.of("--data-snapshot", taken), Map.of(), null);
    RollupReport report =
        TestReports.report(exitCode, null, identity, new FinishedPartitions(), null);
    Files.writeString(directory.resolve(name), TestReports.json(report));
  }

  /** Its messages would come after those of the newer one. */
  @Test
  void aRunOfAnOlderSnapshotThanThatOfALaterOneIsNotResumed() throws IOException {
    writeReport("first.json", ExitCode.OUTSIDE, "2025-11-20T02:00:00Z");
    writeReport("failed.json", ExitCode.OUTSIDE, "2025-11-21T02:00:00Z");
    writeReport("older.json", ExitCode.DONE, "2025-11-20T01:00:00Z");
    Files.writeString(directory.resolve("other.json"), "{\"rows\":1");
    Path first = directory.resolve("first.json");
    runGoodWith("--resume=" + first);
    assertThat(err.toString()).contains("spark-submit").doesNotContain("--resume");
    err.getBuffer().setLength(0);
    writeReport("second.json", ExitCode.DONE, "2025-11-21T02:00:00Z");
    assertThat(runGoodWith("--resume=" + first)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--resume " + first + ": its data snapshot was taken 2025-11-20T02:00:00Z")
        .contains("second.json is the report of a run over the same window that is done")
        .contains("a snapshot of 2025-11-21T02:00:00Z", "older values over newer ones");
  }

  @Test
  void jsonLinesAndDryRunsAreNotResumed() throws IOException {
    assertThat(runGoodWith("--sink=json", "--output=x", "--resume=r", "--dry-run"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--resume goes with --sink kafka only", "found: r")
        .contains("--resume does not go with --dry-run, found: r");
  }

  @Test
  void aDryRunNeedsNoBrokers() throws IOException {
    List<String> args = good();
    args.removeIf(arg -> arg.matches("--(kafka-bootstrap|topic)=.*"));
    args.add("--dry-run");
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("spark-submit").doesNotContain("defect");
  }

  private ExitCode runForHFiles(String... more) throws IOException {
    List<String> args = good();
    args.removeIf(arg -> arg.matches("--(uid-snapshot|kafka-bootstrap|topic)=.*"));
    args.add("--sink=hfile");
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  @Test
  void hfilesNeedADirectoryAndNoNames() throws IOException {
    assertThat(runForHFiles("--hfile-dir=file:///x")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("spark-submit").doesNotContain("--uid-snapshot");
    assertThat(runForHFiles("--uid-snapshot=uid", "--topic=t", "--output=o", "--resume=r"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--hfile-dir is required")
        .contains("--uid-snapshot is not read by --sink hfile without --metrics, found: uid")
        .contains("--topic goes with --sink kafka only, found: t")
        .contains("--output goes with --sink json only, found: o")
        .contains("--resume goes with --sink kafka only: files of --sink hfile");
  }

  @Test
  void hfilesOfChosenMetricsNeedNames() throws IOException {
    assertThat(runForHFiles("--hfile-dir=file:///x", "--metrics=a.*")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--uid-snapshot is required");
  }

  /** Gives the rollup configuration a selection of metrics. */
  private void suite(String intervals) throws IOException {
    String suite =
        ROLLUP_CONFIG
            .strip()
            .replace("\"max\":4", "\"max\":4,\"p50\":5,\"last\":6")
            .replaceFirst(
                "}$",
                ",\"suite\":{\"values\":[{\"metrics\":\"sys.*\",\"intervals\":\""
                    + intervals
                    + "\",\"aggregators\":\"last,p50\"}]}}");
    Files.writeString(directory.resolve("rollup_config.json"), suite);
  }

  @Test
  void hfilesWithFurtherAggregatorsNeedNames() throws IOException {
    List<String> args = good();
    suite("1h,6h");
    args.removeIf(arg -> arg.matches("--(uid-snapshot|kafka-bootstrap|topic)=.*"));
    args.addAll(List.of("--sink=hfile", "--hfile-dir=file:///x", "--interval=10m,1h"));
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    String why =
        "suite.values of rollup_config.json selects metrics by their names for p50,last of 1h: ";
    assertThat(err.toString().lines())
        .hasSize(2)
        .first()
        .asString()
        .endsWith(why + "--uid-snapshot or --uid-source hbase is required");
    args.add("--uid-source=none");
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(why + "--uid-source must be snapshot or hbase");
    // The run makes no interval of the selection.
    args.removeIf(arg -> arg.matches("--(uid-source|interval)=.*"));
    args.add("--interval=10m");
    err.getBuffer().setLength(0);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("spark-submit").doesNotContain("suite");
  }

  /** Gives the rollup configuration histograms of 1h, and the TSDs the ids of codecs. */
  private void histograms(int sketchId) throws IOException {
    String suite =
        ROLLUP_CONFIG
            .strip()
            .replaceFirst(
                "}$",
                ",\"suite\":{\"histograms\":[{\"metrics\":\"sys.*\",\"intervals\":\"1h\"}],"
                    + "\"histogramTables\":{\"1h\":\"h\"}}}");
    Files.writeString(directory.resolve("rollup_config.json"), suite);
    Path conf = directory.resolve("opentsdb.conf");
    String codecs =
        "tsd.core.histograms.config = {\"" + HistogramCodecs.SKETCH + "\": " + sketchId + "}\n";
    Files.writeString(
        conf, Files.readString(conf).replaceFirst("tsd.core.histograms.config.*\n", "") + codecs);
  }

  @Test
  void histogramsNeedNamesAndMessagesThatHoldThem() throws IOException {
    List<String> args = good();
    histograms(43);
    args.add("--format=aggregate");
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--format must be rollup: aggregates have no histograms, which suite.histograms of"
                + " rollup_config.json gives rollups of 1h, found: aggregate");
    args.removeIf(arg -> arg.matches("--(uid-snapshot|kafka-bootstrap|topic|format)=.*"));
    args.addAll(List.of("--sink=hfile", "--hfile-dir=file:///x", "--interval=10m,1h"));
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "suite of rollup_config.json selects metrics by their names for histograms of 1h:"
                + " --uid-snapshot or --uid-source hbase is required");
    // The run makes no interval of the selection.
    args.removeIf(arg -> arg.startsWith("--interval="));
    args.add("--interval=10m");
    err.getBuffer().setLength(0);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("spark-submit").doesNotContain("suite");
  }

  @Test
  void aResumedRunHasTheSameCodecs() throws IOException {
    List<String> args = good();
    histograms(43);
    Path before = report(ExitCode.OUTSIDE, identity(args));
    histograms(44);
    args.add("--resume=" + before);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "tsd.core.histograms.config was '{io.tsdbsuite.histogram.SketchCodec=43}', is"
                + " '{io.tsdbsuite.histogram.SketchCodec=44}' now");
  }

  @Test
  void aResumedRunHasTheSameFurtherAggregators() throws IOException {
    Path before = report(ExitCode.OUTSIDE);
    List<String> args = good();
    suite("1h");
    args.add("--resume=" + before);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    String now =
        "{\"values\":[{\"metrics\":\"sys.*\",\"intervals\":\"1h\",\"aggregators\":\"p50,last\"}]}";
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .endsWith("suite was not given, is '" + now + "' now");
  }

  @Test
  void anEmptyPatternIsNotAllMetrics() throws IOException {
    for (String empty : List.of("--metrics=", "--metrics=a,,b", "--metrics=a,!")) {
      assertThat(runForHFiles("--hfile-dir=file:///x", empty)).as(empty).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).as(empty).contains("--metrics must have no empty pattern");
    }
  }

  @Test
  void hfilesDoNotGoWithTaggedRollups() throws IOException {
    List<String> args = good();
    Path conf = directory.resolve("opentsdb.conf");
    Files.writeString(conf, Files.readString(conf) + "tsd.rollups.tag_raw = true\n");
    args.removeIf(arg -> arg.matches("--(uid-snapshot|kafka-bootstrap|topic)=.*"));
    args.addAll(List.of("--sink=hfile", "--hfile-dir=file:///x"));
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("tsd.rollups.tag_raw", "found: true");
  }

  /** TSDs with the buckets of the file would not read the rows of the others. */
  @Test
  void hfilesHaveTheBucketsOfTheTsds() throws IOException {
    Path conf = directory.resolve("opentsdb.conf");
    List<String> args = good();
    // 20 is the default.
    Files.writeString(conf, Files.readString(conf) + "tsd.storage.salt.width = 1\n");
    args.removeIf(arg -> arg.matches("--(uid-snapshot|kafka-bootstrap|topic)=.*"));
    args.addAll(List.of("--sink=hfile", "--hfile-dir=file:///x", "--tsd.storage.salt.buckets=30"));
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("with --sink hfile", "1 and 20, found: 1 and 30");
    args.set(args.size() - 1, "--tsd.storage.salt.buckets=20");
    err.getBuffer().setLength(0);
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("spark-submit").doesNotContain("salt");
  }

  @Test
  void hfilesOfIntervalsNeedTablesOfTheirOwn() throws IOException {
    Path rollups = directory.resolve("one_table.json");
    Files.writeString(rollups, ROLLUP_CONFIG.replace("tsdb-rollup-10m", "tsdb-rollup-1h"));
    assertThat(
            runForHFiles(
                "--hfile-dir=file:///x", "--interval=10m,1h", "--rollup-config=" + rollups))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("must have a table of its own, found tsdb-rollup-1h of 10m and 1h");
  }

  @Test
  void hfileOptionsGoWithHFilesOnly() throws IOException {
    assertThat(runGoodWith("--hfile-dir=x", "--target-snapshot=y")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--hfile-dir goes with --sink hfile only, found: x")
        .contains("--target-snapshot goes with --sink hfile only");
  }

  @Test
  void loadTellsWhatItNeeds() {
    assertThat(run("load", "--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("--hfile-dir", "Exit codes:").doesNotContain("${");
    assertThat(run("load", "--treads=4", "--rollup-config=/no/such.json"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("rollup-job load: 4 problems:" + System.lineSeparator() + "  - ")
        .contains("--hfile-dir is required")
        .contains("--tsd-config is required")
        .contains("rollup configuration /no/such.json cannot be read: there is no such file")
        .contains("--treads")
        .contains("Nothing was read or written");
  }

  @Test
  void theReportHasANameOfItsOwn() throws IOException {
    RollupCommand command = new RollupCommand();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(good().toArray(String[]::new));
    Instant now = Instant.parse("2026-11-20T03:00:07Z");
    assertThat(
            new RunReports(null, null)
                .file(read(command, now), new Configuration(false), now, false, warning -> {}))
        .hasToString("rollup-job-20251119T00-20251120T00-1h-started-20261120T030007Z.json");
  }

  @Test
  void changedRowsNeedATimeOfHBase() throws IOException {
    assertThat(
            runGoodWith(
                "--changed-since=yesterday",
                "--max-changed-rows=0",
                "--tsd.storage.use_otsdb_timestamp=true"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--changed-since must be ISO-8601", "found: yesterday")
        .contains("--max-changed-rows must be 1 or more, found: 0")
        .contains("use_otsdb_timestamp = true: cells then have the times of their points");
  }

  @Test
  void theReportOfChangedRowsIsOfARunThatIsDone() throws IOException {
    Path report = directory.resolve("earlier.json");
    assertThat(runGoodWith("--since-report=" + report, "--changed-since=2025-11-19"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("one of --changed-since and --since-report is enough");
    assertThat(runGoodWith("--since-report=" + report)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--since-report " + report + ": there is no such file");
    Files.writeString(report, "{\"report\":\"rollup-job\",\"exitCode\":3}");
    assertThat(runGoodWith("--since-report=" + report)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("must be of a run that is done");
    Files.writeString(report, "{\"report\":\"rollup-job\",\"exitCode\":0}");
    assertThat(runGoodWith("--since-report=" + report, "--changed-margin=soon"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--changed-margin", "soon");
    assertThat(runGoodWith("--changed-since=2025-11-18", "--changed-margin=late"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--changed-margin must be a number", "found: late");
    assertThat(runGoodWith("--changed-since=yesterday", "--changed-margin=late"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--changed-since", "yesterday", "--changed-margin must be a number", "found: late");
    assertThat(runGoodWith("--since-report=" + report)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("has no time at /window/to, found: ''");
  }

  @Test
  void theReportOfChangedRowsIsOfARunThatMeetsThisOne() throws IOException {
    Path report = directory.resolve("earlier.json");
    String earlier =
        "{'report':'rollup-job','exitCode':0,'window':{'to':'2025-11-18T23:00:00Z'},"
            + "'resume':{'options':{'--interval':'10m,1h','--metrics':'','--sink':'kafka',"
            + "'--topic':'others'}}}";
    Files.writeString(report, earlier.replace('\'', '"'));
    assertThat(runGoodWith("--since-report=" + report, "--metrics=sys.*"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "ends where this one begins (2025-11-19T00:00:00Z) or later, found one that ends at"
                + " 2025-11-18T23:00:00Z",
            "must be of a run with --interval '1h', found '10m,1h'",
            "must be of a run with --metrics 'sys.*', found ''",
            "must be of a run with --topic 'rollups', found 'others'")
        .doesNotContain("--sink '");
    Files.writeString(report, earlier.replace("11-18", "18-11").replace('\'', '"'));
    assertThat(runGoodWith("--since-report=" + report)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("has no time at /window/to, found: '2025-18-11T23:00:00Z'");
  }

  @Test
  void verifyTellsEveryProblemAtOnce() throws IOException {
    assertThat(
            run(
                "verify",
                "--sample=2",
                "--against-tsd=localhost:4242",
                "--against-snapshot=a,a",
                "--tsd-queries=0",
                "--min-series=0",
                "--topic=x"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("rollup-job verify: ")
        .contains("one of --against-snapshot and --against-tsd is required, found: both")
        .contains("--against-snapshot must not have a snapshot twice, found: a,a")
        .contains("--against-tsd must be like http://host:4242, found: localhost:4242")
        .contains("--sample must be a part of the series", "found: 2")
        .contains("--tsd-queries must be 1 or more, found: 0")
        .contains("--min-series must be 1 or more, found: 0")
        .contains("--topic")
        .contains("--data-snapshot is required")
        .contains("a window is required")
        .doesNotContain("--output");
  }

  @Test
  void verifyDoesNotTakeTagRawForTheSameSeries() throws IOException {
    List<String> args = good();
    args.removeIf(arg -> arg.startsWith("--kafka") || arg.startsWith("--topic"));
    args.add(0, "verify");
    args.addAll(List.of("--against-snapshot=a", "--tsd.rollups.tag_raw=true"));
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("tsd.rollups.tag_raw = true", "use --against-tsd");
  }

  @Test
  void verifyHasHelp() {
    assertThat(run("verify", "--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString())
        .contains("--against-snapshot", "--against-tsd", "--sample", "Exit codes:", "1%")
        .doesNotContain("${", "%%");
  }
}
