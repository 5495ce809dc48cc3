package io.tsdbsuite.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.trigger.config.NightSettings;
import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.report.TestReport;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.snapshot.TestSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** In the morning after the night of 2026-11-21, which should have rolled up 2026-11-20. */
class NightCheckTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");
  private static final Instant MORNING = Instant.parse("2026-11-22T06:00:03Z");
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00Z");
  private static final String MARKER = "hbase/_EXPORTED/2026-11-21.json";

  private final FakeS3 s3 = new FakeS3();
  private final Map<String, String> environment = TestSettings.environment();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  private int check() throws IOException {
    return check(s3.store());
  }

  /** The number of missing days; the log has the rest. */
  private int check(ObjectStore backup) throws IOException {
    log.reset();
    PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8);
    Clock clock = Clock.fixed(MORNING, ZoneOffset.UTC);
    NightSettings settings = NightSettings.read(environment);
    Metrics metrics = new Metrics("test");
    NightCheck check =
        new NightCheck(
            settings, backup, new S3Reports(s3.store(), settings.backup().reportRoot()), clock);
    int missing = check.check(new JsonLog(out, clock, "r1"), metrics);
    metrics.write(out, clock);
    return missing;
  }

  private String log() {
    return log.toString(StandardCharsets.UTF_8);
  }

  private void put(TestReport report, LocalDate day) {
    s3.put("reports/" + day + ".json", report.day(day).toString());
  }

  private void putMarker(String uidSnapshot) {
    s3.put(
        MARKER,
        "{\"v\":1,\"date\":\"2026-11-21\",\"dataSnapshot\":\"tsdb-20261121\",\"uidSnapshot\":\""
            + uidSnapshot
            + "\"}");
  }

  private void putData() {
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED).put(s3, "hbase/");
  }

  private void putUid() {
    TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", CREATED).put(s3, "hbase/");
  }

  @Test
  void aFinishedNight() throws IOException {
    put(TestReport.done(), DAY);
    assertThat(check()).isZero();
    assertThat(log())
        .contains("\"DaysMissing\":0", "\"HalfExports\":0", "\"level\":\"INFO\"")
        .doesNotContain("WARN");
  }

  /** No event ever arrives, for whatever reason: nothing else would tell of the second night. */
  @Test
  void eachDayWithoutANightIsToldWithTheLastOneThatFinished() throws IOException {
    put(TestReport.done(), DAY.minusDays(3));
    put(TestReport.failed(3, 1), DAY.minusDays(1));
    assertThat(check()).isEqualTo(3);
    assertThat(log())
        .contains("\"level\":\"WARN\"", "\"message\":\"no night has finished\"")
        .contains("\"DaysMissing\":3", "\"days\":3", "\"lastDone\":\"2026-11-17\"")
        .contains("marker s3://backup/" + MARKER + " does not exist")
        .contains("neither does snapshot 'tsdb-20261121'", "\"HalfExports\":0");
  }

  @Test
  void aPipelineThatNeverStarted() throws IOException {
    putData();
    putUid();
    putMarker("tsdb-uid-20261121");
    assertThat(check()).isEqualTo(31);
    assertThat(log())
        .contains("\"lastDone\":\"none of the last 31\"", "\"HalfExports\":0")
        .contains("both snapshots exist: no event of the bucket has arrived, or no execution has");
  }

  /** A wrong bucket is one of the reasons why no night ever starts. */
  @Test
  void aBackupThatCannotBeRead() throws IOException {
    assertThat(check(new ObjectStore(new NoBucket()))).isEqualTo(31);
    assertThat(log())
        .contains("\"DaysMissing\":31", "\"HalfExports\":0")
        .contains("the backup cannot be read: The specified bucket does not exist");
  }

  /** Answers as S3 does for a bucket that does not exist. */
  private static final class NoBucket implements S3Client {
    @Override
    public ResponseInputStream<GetObjectResponse> getObject(GetObjectRequest request) {
      throw NoSuchBucketException.builder().message("The specified bucket does not exist").build();
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }

  /** After a change of interval or topic the last night has still finished. */
  @Test
  void aReportOfOtherSettingsIsAFinishedNight() throws IOException {
    put(TestReport.done().with("/resume/options", "--metrics", "sys.*"), DAY);
    assertThat(check()).isZero();
  }

  @Test
  void nightsOfLaterSnapshots() throws IOException {
    environment.put("DAYS_BEFORE_SNAPSHOT", "2");
    put(TestReport.done(), DAY.minusDays(1));
    assertThat(check()).isZero();
  }

  @Test
  void aMarkerWithoutTheUidSnapshot() throws IOException {
    putData();
    putMarker("names-20261121");
    check();
    assertThat(log())
        .contains("\"HalfExports\":1")
        .contains(
            "marker s3://backup/"
                + MARKER
                + " names snapshot 'tsdb-20261121', which exists, and 'names-20261121', which does"
                + " not exist");
  }

  @Test
  void aDataSnapshotWithoutAMarker() throws IOException {
    putData();
    check();
    assertThat(log())
        .contains("\"HalfExports\":1", "which the exporter writes last; snapshot 'tsdb-20261121'")
        .contains("exists, 'tsdb-uid-20261121' does not exist");
    putUid();
    check();
    assertThat(log())
        .contains("\"HalfExports\":1", "'tsdb-20261121' exists, 'tsdb-uid-20261121' exists");
  }

  @Test
  void aMarkerThatBreaksARule() throws IOException {
    s3.put(MARKER, "{\"v\":2}");
    check();
    assertThat(log()).contains("\"HalfExports\":1", "must have v 1, found: 2");
  }

  @Test
  void withoutMarkers() throws IOException {
    environment.put("START_ON", "MANIFESTS");
    check();
    assertThat(log())
        .contains("\"HalfExports\":0", "SNAPSHOT_PATTERN names snapshot 'tsdb-20261121', which")
        .doesNotContain("marker");
    putUid();
    check();
    assertThat(log())
        .contains("\"HalfExports\":1", "which does not exist, and 'tsdb-uid-20261121'");
  }

  @Test
  void settings() {
    environment.put("START_ON", "marker");
    assertThatThrownBy(() -> NightSettings.read(environment))
        .hasMessage(
            "1 configuration problem: START_ON must be MARKER or MANIFESTS, found: 'marker'");
    assertThatThrownBy(() -> NightSettings.read(Map.of()))
        .hasMessageStartingWith("6 problems: ROOT must be set;");
  }
}
