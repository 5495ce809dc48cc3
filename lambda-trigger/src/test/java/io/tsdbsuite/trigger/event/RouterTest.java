package io.tsdbsuite.trigger.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.event.ObjectCreated.MalformedEventException;
import io.tsdbsuite.trigger.event.Router.Route;
import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {
  private static final LocalDate DATE = LocalDate.parse("2026-11-21");

  private final Router router = new Router(TestSettings.trigger().backup());

  private Route route(String key) {
    return router.route(new S3Location("backup", key));
  }

  @Test
  void aMarkerMatters() {
    S3Location marker = new S3Location("backup", "hbase/_EXPORTED/2026-11-21.json");
    assertThat(router.route(marker)).isEqualTo(new Route.MarkerWritten(marker, DATE));
  }

  @ParameterizedTest
  @CsvSource({
    "tsdb, data.manifest",
    "tsdb, .snapshotinfo",
    "tsdb-uid, data.manifest",
    "tsdb-uid, .snapshotinfo",
  })
  void filesOfSnapshotsMatter(String table, String file) {
    assertThat(route("hbase/.hbase-snapshot/" + table + "-20261121/" + file))
        .isEqualTo(new Route.SnapshotWritten(DATE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other/x|below ROOT s3://backup/hbase",
        "hbase/.hbase-snapshot/.tmp/tsdb-20261121/data.manifest|to its final location",
        "hbase/archive/data/default/tsdb/r/t/f|neither a marker nor",
        "hbase/.hbase-snapshot/tsdb-20261121/region-manifest.1|neither a marker nor",
        "hbase/.hbase-snapshot/tsdb-20261321/data.manifest|not named by SNAPSHOT_PATTERN",
        "hbase/.hbase-snapshot/tsdb-manual/data.manifest|not named by SNAPSHOT_PATTERN",
        "hbase/_EXPORTED/x/2026-11-21.json|neither a marker nor",
      })
  void whatDoesNot(String key, String why) {
    assertThat(((Route.None) route(key)).why()).contains(why);
  }

  @Test
  void markerWithoutDate() {
    assertThatThrownBy(() -> route("hbase/_EXPORTED/today.json"))
        .isInstanceOf(MalformedEventException.class)
        .hasMessage("a marker's name must be a date, yyyy-MM-dd.json, found: today");
  }

  @Test
  void otherNames() {
    Map<String, String> environment = TestSettings.environment();
    environment.put("ROOT", "s3://backup");
    environment.put("REPORT_ROOT", "s3://logs");
    environment.put("DATA_TABLE", "ns:tsdb");
    environment.put("SNAPSHOT_PATTERN", "nightly_{date}_{table}.v1");
    Router other = new Router(TriggerSettings.read(environment).backup());
    assertThat(
            other.route(
                new S3Location(
                    "backup", ".hbase-snapshot/nightly_20261121_ns-tsdb.v1/data.manifest")))
        .isEqualTo(new Route.SnapshotWritten(DATE));
    assertThat(
            other.route(new S3Location("backup", ".hbase-snapshot/nightly_20261121_ns-tsdb_v1/x")))
        .isInstanceOf(Route.None.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no", "{}", "[]", "{\"source\":\"aws.s3\"}", "{\"source\":1}"})
  void malformed(String body) {
    assertThatThrownBy(() -> ObjectCreated.parse(body)).isInstanceOf(MalformedEventException.class);
  }

  @Test
  void keysAreNotDecoded() {
    assertThat(ObjectCreated.parse(TestEvents.created("a%2Fb+c d")).key()).isEqualTo("a%2Fb+c d");
  }
}
