package io.tsdbsuite.trigger.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.event.Router.Route;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.event.ruler.Machine;

/** EventBridge's patterns by EventBridge's own matcher, and the router: both must agree. */
class EventPatternTest {
  private static final Machine MACHINE = Machine.builder().build();

  @BeforeAll
  static void patterns() throws Exception {
    MACHINE.addRule("marker", TestEvents.recorded("event-patterns/marker.json"));
    MACHINE.addRule("manifests", TestEvents.recorded("event-patterns/manifests.json"));
    MACHINE.addRule("namespace", TestEvents.recorded("event-patterns/namespace.json"));
  }

  @ParameterizedTest
  @CsvSource({
    "events/put-object.json, marker",
    "events/copy-object.json, manifests",
    "events/multipart-upload.json, manifests",
  })
  void recordedEvents(String resource, String rule) throws Exception {
    String event = TestEvents.recorded(resource);
    assertThat(MACHINE.rulesForJSONEvent(event)).containsExactly(rule);
    assertThat(new Router(TestSettings.trigger().backup()).route(ObjectCreated.parse(event)))
        .isNotInstanceOf(Route.None.class);
  }

  @Test
  void deletions() throws Exception {
    assertThat(MACHINE.rulesForJSONEvent(TestEvents.recorded("events/object-deleted.json")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "hbase/_EXPORTED/2026-11-21.json, marker",
    "hbase/_EXPORTED/2026-11-21.json.tmp, ''",
    "other/_EXPORTED/2026-11-21.json, ''",
    "hbase/.hbase-snapshot/tsdb-20261121/data.manifest, manifests",
    "hbase/.hbase-snapshot/tsdb-uid-20261121/.snapshotinfo, manifests",
    "hbase/.hbase-snapshot/.tmp/tsdb-20261121/data.manifest, ''",
    "hbase/.hbase-snapshot/.tmp/tsdb-20261121/.snapshotinfo, ''",
    "hbase/.hbase-snapshot/.tmp/, ''",
    "hbase/.hbase-snapshot/other-20261121/data.manifest, ''",
    "hbase/archive/data/default/tsdb/0123/t/abcd, ''",
  })
  void keys(String key, String rule) throws Exception {
    String event = TestEvents.created(key);
    assertThat(MACHINE.rulesForJSONEvent(event))
        .isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    // A pattern may pass irrelevant events, but must only stop irrelevant ones.
    if (rule.isEmpty()) {
      assertThat(new Router(TestSettings.trigger().backup()).route(ObjectCreated.parse(event)))
          .isInstanceOf(Route.None.class);
    }
  }

  /** Names of snapshots have a hyphen for the colon of {@code metrics:tsdb}. */
  @ParameterizedTest
  @ValueSource(
      strings = {"metrics-tsdb-20261121/data.manifest", "metrics-tsdb-uid-20261121/.snapshotinfo"})
  void snapshotsOfANamespace(String file) throws Exception {
    Map<String, String> environment = TestSettings.environment();
    environment.put("DATA_TABLE", "metrics:tsdb");
    environment.put("UID_TABLE", "metrics:tsdb-uid");
    String event = TestEvents.created("hbase/.hbase-snapshot/" + file);
    assertThat(MACHINE.rulesForJSONEvent(event)).containsExactly("namespace");
    assertThat(
            new Router(TriggerSettings.read(environment).backup())
                .route(ObjectCreated.parse(event)))
        .isInstanceOf(Route.SnapshotWritten.class);
  }
}
