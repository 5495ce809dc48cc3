package io.tsdbsuite.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.nights.NightTable;
import io.tsdbsuite.testkit.nights.NightTable.End;
import io.tsdbsuite.testkit.nights.NightTable.Night;
import io.tsdbsuite.testkit.nights.NightTable.Pipeline;
import io.tsdbsuite.trigger.config.PrepareSettings;
import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.event.QueueMessage;
import io.tsdbsuite.trigger.event.TestEvents;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.report.TestReport;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.snapshot.TestSnapshot;
import io.tsdbsuite.trigger.start.ExecutionInput.PrepareInput;
import io.tsdbsuite.trigger.start.FakeSfn;
import io.tsdbsuite.trigger.start.RunningExecutions;
import io.tsdbsuite.trigger.start.Starter;
import io.tsdbsuite.trigger.step.DayStep.DayRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Trigger starts and Prepare plans for the nights that cron must plan alike. */
class NightTableTest {
  /** The template's default is 3; the table has an outage of 6 days. */
  private static final long CATCH_UP_DAYS = 5;

  private final FakeS3 s3 = new FakeS3();
  private final Map<String, String> environment = TestSettings.environment();
  private final JsonLog log =
      new JsonLog(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
          Clock.systemUTC(),
          "r1");

  static List<Pipeline> pipelines() {
    return NightTable.read();
  }

  @ParameterizedTest
  @MethodSource("pipelines")
  void nights(Pipeline pipeline) throws IOException {
    for (Night night : pipeline.nights()) {
      List<String> runs =
          night.snapshot().isPresent() ? runs(pipeline, night, night.snapshot().get()) : List.of();
      assertThat(runs).as("%s", night).isEqualTo(night.runs());
    }
  }

  private List<String> runs(Pipeline pipeline, Night night, Instant snapshot) throws IOException {
    Clock clock = Clock.fixed(night.now(), ZoneOffset.UTC);
    LocalDate date = LocalDate.ofInstant(snapshot, ZoneOffset.UTC);
    // cron has a first day: the catch-up of AWS begins with it, too.
    long sinceFirst = ChronoUnit.DAYS.between(pipeline.first(), date.minusDays(1));
    environment.put("CATCH_UP_DAYS", Long.toString(Math.min(CATCH_UP_DAYS, sinceFirst)));
    String data = "tsdb-" + date.toString().replace("-", "");
    String uid = "tsdb-uid-" + date.toString().replace("-", "");
    TestSnapshot exported = TestSnapshot.whole(data, "tsdb", snapshot);
    pipeline.ttl().ifPresent(exported::ttl);
    exported.put(s3, "hbase/");
    TestSnapshot.whole(uid, "tsdb-uid", snapshot.plusSeconds(60)).put(s3, "hbase/");

    List<LocalDate> days = start("hbase/.hbase-snapshot/" + data + "/data.manifest", clock);
    List<DayRun> planned = prepare(data, uid, days, clock);
    List<String> runs = new ArrayList<>();
    for (DayRun run : planned) {
      LocalDate day = run.plan().day();
      if (runs.size() < night.ends().size()) {
        report(run, snapshot, night.ends().get(runs.size()));
      }
      runs.add(NightTable.run(day, run.job().arguments()));
    }
    return runs;
  }

  /** The days of the execution that an event starts. */
  private List<LocalDate> start(String key, Clock clock) throws IOException {
    TriggerSettings settings = TriggerSettings.read(environment);
    List<LocalDate> started = new ArrayList<>();
    Starter starter =
        (name, night, days) -> {
          started.addAll(days);
          return Starter.Outcome.STARTED;
        };
    String batch = TestEvents.batch(List.of(TestEvents.created(key)));
    List<String> failed =
        new Trigger(
                settings,
                s3.store(),
                new S3Reports(s3.store(), settings.backup().reportRoot()),
                starter,
                clock)
            .handle(
                QueueMessage.readAll(
                    new ByteArrayInputStream(batch.getBytes(StandardCharsets.UTF_8))),
                log,
                new Metrics("test"),
                new Deadline(() -> 60_000));
    assertThat(failed).isEmpty();
    return started;
  }

  private List<DayRun> prepare(String data, String uid, List<LocalDate> days, Clock clock)
      throws IOException {
    String input =
        """
        {"v":1,"root":"s3://backup/hbase","dataSnapshot":"%s","uidSnapshot":"%s","days":[%s]}
        """
            .formatted(
                data,
                uid,
                days.stream().map(day -> "\"" + day + "\"").collect(Collectors.joining(",")));
    String whole = "{\"execution\":\"" + FakeSfn.arn("mine") + "\",\"input\":" + input + "}";
    FakeSfn executions = new FakeSfn();
    executions.add("mine", clock.instant(), input);
    PrepareSettings settings = PrepareSettings.read(environment);
    return new PrepareTask(
            settings,
            s3.store(),
            s3.store(),
            new S3Reports(s3.store(), settings.backup().reportRoot()),
            new RunningExecutions(executions),
            clock)
            .plan(
                PrepareInput.read(new ByteArrayInputStream(whole.getBytes(StandardCharsets.UTF_8))),
                log,
                new Metrics("test"),
                new Deadline(() -> 60_000))
            .steps()
            .stream()
            .map(step -> step.run().orElseThrow())
            .toList();
  }

  private void report(DayRun run, Instant snapshot, End end) {
    LocalDate day = run.plan().day();
    TestReport report =
        end.exitCode().isEmpty()
            ? TestReport.killed(0)
            : end.exitCode().get() == 0
                ? TestReport.done()
                : TestReport.failed(end.exitCode().get(), 0);
    report
        .day(day)
        .with("/resume/snapshots", "--data-snapshot", snapshot.toString())
        .with("/resume/snapshots", "--uid-snapshot", snapshot.plusSeconds(60).toString())
        .with(
            "/resume/options",
            "--changed-since",
            run.plan().lateData().since().map(Instant::toString).orElse(""));
    s3.put("reports/" + day + ".json", report.toString());
  }
}
