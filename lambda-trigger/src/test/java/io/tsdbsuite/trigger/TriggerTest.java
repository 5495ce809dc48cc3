package io.tsdbsuite.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
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
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.start.Starter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;

class TriggerTest {
  private static final String ROOT = "hbase/";
  private static final String MARKER = "hbase/_EXPORTED/2026-11-21.json";
  private static final String MANIFEST = "hbase/.hbase-snapshot/tsdb-20261121/data.manifest";
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00.123Z");
  private static final Clock CLOCK = Clock.fixed(CREATED.plusSeconds(3600), ZoneOffset.UTC);

  private final FakeS3 s3 = new FakeS3();
  private final TestSnapshot data = TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED);
  private final TestSnapshot uid =
      TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", CREATED.plusSeconds(300));
  private final Map<String, List<LocalDate>> started = new LinkedHashMap<>();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8);
  private RuntimeException refusal;

  private Starter.Outcome start(String name, WholeNight night, List<LocalDate> days) {
    if (refusal != null) {
      throw refusal;
    }
    return started.putIfAbsent(name, days) == null
        ? Starter.Outcome.STARTED
        : Starter.Outcome.ALREADY_STARTED;
  }

  private List<String> handle(String... bodies) {
    return handle(TestSettings.trigger(), bodies);
  }

  private List<String> handle(TriggerSettings settings, String... bodies) {
    log.reset();
    Clock clock = Clock.systemUTC();
    Metrics metrics = new Metrics("test");
    try {
      List<String> failures =
          new Trigger(
                  settings,
                  s3.store(),
                  new S3Reports(s3.store(), settings.backup().reportRoot()),
                  this::start,
                  CLOCK)
              .handle(
                  QueueMessage.readAll(
                      new ByteArrayInputStream(
                          TestEvents.batch(List.of(bodies)).getBytes(StandardCharsets.UTF_8))),
                  new JsonLog(out, clock, "r1"),
                  metrics,
                  new Deadline(() -> 60_000));
      metrics.write(out, clock);
      return failures;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private String log() {
    return log.toString(StandardCharsets.UTF_8);
  }

  private void putMarker() {
    s3.put(
        MARKER,
        "{\"v\":1,\"date\":\"2026-11-21\",\"dataSnapshot\":\"tsdb-20261121\","
            + "\"uidSnapshot\":\"tsdb-uid-20261121\"}");
  }

  @Test
  void byMarkerOrByManifest() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    putMarker();
    assertThat(handle(TestEvents.created(MARKER))).isEmpty();
    assertThat(started).hasSize(1);
    assertThat(started.keySet().iterator().next()).matches("rollup-2026-11-21-[0-9a-f]{16}");
    assertThat(log())
        .contains("\"message\":\"started the pipeline\"", "\"PipelinesStarted\":1")
        .contains("\"hfiles\":4", "\"bytes\":600", "\"snapshotTime\":\"2026-11-21T00:30:00.123Z\"");
    assertThat(handle(TestEvents.created(MANIFEST))).isEmpty();
    assertThat(started).hasSize(1);
    assertThat(log()).contains("was already started", "\"PipelinesAlreadyStarted\":1");
  }

  @Test
  void oneLookForAllEventsOfANight() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    List<String> events = new ArrayList<>(Collections.nCopies(48, TestEvents.created(MANIFEST)));
    putMarker();
    events.add(TestEvents.created(MARKER));
    assertThat(handle(events.toArray(String[]::new))).isEmpty();
    assertThat(started).hasSize(1);
    assertThat(s3.lists()).isEqualTo(2);
  }

  /** Whatever comes in whatever order, with an event after each object and events twice. */
  @Test
  void neverTooEarlyAndOnce() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      s3.keys().forEach(s3::remove);
      started.clear();
      List<TestSnapshot> owners = new ArrayList<>();
      List<String> keys = new ArrayList<>();
      for (TestSnapshot snapshot : List.of(data, uid)) {
        for (String key : snapshot.keys()) {
          int at = random.nextInt(keys.size() + 1);
          keys.add(at, key);
          owners.add(at, snapshot);
        }
      }
      for (int i = 0; i < keys.size(); i++) {
        owners.get(i).put(s3, ROOT, keys.get(i));
        boolean whole = i == keys.size() - 1;
        List<String> failures =
            handle(TestEvents.created(MANIFEST), TestEvents.created(ROOT + keys.get(i)));
        assertThat(started).as("seed %d, %s of %s", seed, i, keys).hasSize(whole ? 1 : 0);
        assertThat(failures).hasSize(whole ? 0 : keys.get(i).startsWith("archive") ? 1 : 2);
      }
    }
  }

  @Test
  void aReExportStartsAgain() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    handle(TestEvents.created(MANIFEST));
    data.put(s3, ROOT);
    handle(TestEvents.created(MANIFEST));
    assertThat(started).hasSize(2);
  }

  @Test
  void catchUp() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    LocalDate day = LocalDate.parse("2026-11-20");
    handle(TestEvents.created(MANIFEST));
    assertThat(started.values()).containsExactly(List.of(day.minusDays(2), day.minusDays(1), day));
    started.clear();
    s3.put("reports/2026-11-18.json", TestReport.done().day(day.minusDays(2)).toString());
    s3.put("reports/2026-11-19.json", TestReport.failed(3, 1).day(day.minusDays(1)).toString());
    s3.put("reports/2026-11-20.json", TestReport.done().toString());
    handle(TestEvents.created(MANIFEST));
    assertThat(started.values()).containsExactly(List.of(day.minusDays(1), day));
  }

  /** The exporter was down for five nights: three days are caught up. */
  @Test
  void daysThatNoNightRunsAnyMore() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    LocalDate day = LocalDate.parse("2026-11-20");
    handle(TestEvents.created(MANIFEST));
    assertThat(log()).contains("\"DaysGivenUp\":0").doesNotContain("no night runs them");
    for (int back = 33; back >= 6; back--) {
      LocalDate done = day.minusDays(back);
      s3.put("reports/" + done + ".json", TestReport.done().day(done).toString());
    }
    LocalDate failed = day.minusDays(5);
    s3.put("reports/" + failed + ".json", TestReport.failed(1, 0).day(failed).toString());
    handle(TestEvents.created(MANIFEST));
    assertThat(log())
        .contains("\"DaysGivenUp\":3", "no night runs them any more")
        .contains("\"days\":\"[2026-11-15, 2026-11-16, 2026-11-17]\"");
    Map<String, String> environment = TestSettings.environment();
    environment.put("CATCH_UP_DAYS", "5");
    handle(TriggerSettings.read(environment), TestEvents.created(MANIFEST));
    assertThat(log()).contains("\"DaysGivenUp\":0");
    // After a change of the settings no older day is done.
    environment.put("CATCH_UP_DAYS", "2");
    environment.put("TOPIC", "rollups-2");
    handle(TriggerSettings.read(environment), TestEvents.created(MANIFEST));
    assertThat(log()).contains("\"DaysGivenUp\":0");
  }

  /** The exporter was down for seven weeks: the last day before is older than all that count. */
  @Test
  void daysOfALongOutageAreTold() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    LocalDate day = LocalDate.parse("2026-11-20");
    for (int back = 60; back >= 50; back--) {
      LocalDate done = day.minusDays(back);
      s3.put("reports/" + done + ".json", TestReport.done().day(done).toString());
    }
    handle(TestEvents.created(MANIFEST));
    assertThat(log()).contains("\"DaysGivenUp\":31", "\"days\":\"[2026-10-18, 2026-10-19,");
    // Four nights later the first days after the outage are among those that count.
    for (int back = 5; back >= 3; back--) {
      LocalDate done = day.minusDays(back);
      s3.put("reports/" + done + ".json", TestReport.done().day(done).toString());
    }
    handle(TestEvents.created(MANIFEST));
    assertThat(log()).contains("\"DaysGivenUp\":28");
  }

  /** From the newest export, before there were nights. */
  @Test
  void aSingleOldDayThatWasRunByHandDoesNotBeginThePipeline() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    LocalDate old = LocalDate.parse("2026-10-31");
    TestReport report = TestReport.done().day(old);
    s3.put("reports/2026-10-31.json", report.toString());
    handle(TestEvents.created(MANIFEST));
    assertThat(log()).contains("\"DaysGivenUp\":0");
    report.with("/resume/snapshots", "--data-snapshot", "2026-11-01T00:30:00Z");
    s3.put("reports/2026-10-31.json", report.toString());
    handle(TestEvents.created(MANIFEST));
    assertThat(log()).contains("\"DaysGivenUp\":17");
  }

  /** Its report is of a run by hand, for a few metrics or for another topic. */
  @Test
  void aDayWithAReportOfOtherSettingsIsNotDone() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    LocalDate day = LocalDate.parse("2026-11-20");
    TestReport few = TestReport.done().day(day.minusDays(2));
    s3.put("reports/2026-11-18.json", few.with("/resume/options", "--metrics", "sys.*").toString());
    s3.put("reports/2026-11-19.json", TestReport.done().day(day.minusDays(1)).toString());
    handle(TestEvents.created(MANIFEST));
    assertThat(started.values()).containsExactly(List.of(day.minusDays(2), day));
    started.clear();
    Map<String, String> environment = TestSettings.environment();
    environment.put("TOPIC", "rollups-2");
    handle(TriggerSettings.read(environment), TestEvents.created(MANIFEST));
    assertThat(started.values()).containsExactly(List.of(day.minusDays(2), day.minusDays(1), day));
  }

  @Test
  void anEarlierDay() {
    Map<String, String> environment = TestSettings.environment();
    environment.put("DAYS_BEFORE_SNAPSHOT", "3");
    environment.put("CATCH_UP_DAYS", "1");
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    handle(TriggerSettings.read(environment), TestEvents.created(MANIFEST));
    LocalDate day = LocalDate.parse("2026-11-18");
    assertThat(started.values()).containsExactly(List.of(day.minusDays(1), day));
  }

  @Test
  void notWholeComesAgain() {
    data.put(s3, ROOT);
    assertThat(handle(TestEvents.created(MANIFEST), TestEvents.created("hbase/x")))
        .containsExactly("m0");
    assertThat(log())
        .contains(
            "night 2026-11-21 will be delivered again: snapshot 'tsdb-uid-20261121' is not whole:"
                + " s3://backup/hbase/.hbase-snapshot/tsdb-uid-20261121/.snapshotinfo does not"
                + " exist")
        .contains("\"receives\":2", "\"SnapshotsNotWhole\":1", "\"EventsFailed\":1")
        .contains("\"object\":\"s3://backup/hbase/x\"", "\"EventsDropped\":1");
    assertThat(started).isEmpty();
  }

  /** The exporter writes the marker last: waiting will not mend that. */
  @Test
  void aMarkerBeforeItsSnapshotsIsToldAtOnce() {
    data.put(s3, ROOT);
    putMarker();
    assertThat(handle(TestEvents.created(MARKER))).containsExactly("m0");
    assertThat(log()).contains("\"HalfExports\":1", "\"SnapshotsNotWhole\":1");
    uid.put(s3, ROOT);
    assertThat(handle(TestEvents.created(MARKER))).isEmpty();
    assertThat(log()).doesNotContain("HalfExports");
  }

  /** An export that writes no marker may still be running. */
  @Test
  void snapshotsWithoutAMarkerAreNoHalfExport() {
    data.put(s3, ROOT);
    assertThat(handle(TestEvents.created(MANIFEST))).containsExactly("m0");
    assertThat(log()).contains("\"HalfExports\":0", "\"SnapshotsNotWhole\":1");
  }

  @Test
  void malformedComesAgain() {
    s3.put(MARKER, "{\"v\":2}");
    assertThat(
            handle(
                "no JSON",
                TestEvents.recorded("events/object-deleted.json"),
                TestEvents.created(MARKER),
                TestEvents.created("hbase/_EXPORTED/2026-11-22.json"),
                TestEvents.created("hbase/_EXPORTED/latest.json")))
        .containsExactly("m0", "m1", "m2", "m3", "m4");
    assertThat(log())
        .contains("\"EventsMalformed\":5")
        .contains("an event must be JSON")
        .contains("an event's detail-type must be 'Object Created', found: 'Object Deleted'")
        .contains("marker s3://backup/" + MARKER + " must have v 1, found: 2")
        .contains("2026-11-22.json does not exist any more")
        .contains("a marker's name must be a date");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "x|is not JSON",
        "{\"v\":1}|must have a date, found: ",
        "{\"v\":1,\"date\":\"2026-11-20\"}|must have the date of its name",
        "{\"v\":1,\"date\":\"2026-11-21\",\"dataSnapshot\":\"../x\"}"
            + "|dataSnapshot must be the name of a snapshot, found: \\\"../x\\\"",
      })
  void markersThatBreakARule(String marker, String rule) {
    s3.put(MARKER, marker);
    assertThat(handle(TestEvents.created(MARKER))).containsExactly("m0");
    assertThat(log()).contains(rule);
  }

  @Test
  void whatAwsRefusesComesAgain() {
    data.put(s3, ROOT);
    uid.put(s3, ROOT);
    refusal = SdkClientException.create("Unable to execute HTTP request");
    assertThat(handle(TestEvents.created(MANIFEST))).containsExactly("m0");
    assertThat(log()).contains("Unable to execute HTTP request", "\"Errors\":1");
    refusal = new IllegalStateException("a bug");
    assertThat(handle(TestEvents.created(MANIFEST))).containsExactly("m0");
    assertThat(log()).contains("\"level\":\"ERROR\"", "a bug", "TriggerTest.whatAwsRefuses");
    refusal = null;
    assertThat(handle(TestEvents.created(MANIFEST))).isEmpty();
  }

  @Test
  void anOldUidSnapshotIsTold() {
    data.put(s3, ROOT);
    TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", CREATED.minusSeconds(1)).put(s3, ROOT);
    handle(TestEvents.created(MANIFEST));
    assertThat(started).hasSize(1);
    assertThat(log()).contains("the UID snapshot is older than the data snapshot");
  }
}
