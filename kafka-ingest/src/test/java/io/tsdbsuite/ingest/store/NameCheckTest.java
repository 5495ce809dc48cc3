package io.tsdbsuite.ingest.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.SeriesElement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseFailures;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

class NameCheckTest {
  private final Map<String, byte[]> table = new HashMap<>();
  private final List<String> reads = new ArrayList<>();
  private boolean down;
  private final NameCheck names = new NameCheck(this::get, new byte[] {'u'});

  @SuppressWarnings("NonApiType") // The type that asynchbase answers with.
  private Deferred<ArrayList<KeyValue>> get(GetRequest request) {
    if (down) {
      return Deferred.fromError(HBaseFailures.timedOut());
    }
    String cell = cell(request.key(), request.family(), request.qualifiers()[0]);
    reads.add(cell);
    ArrayList<KeyValue> cells = new ArrayList<>();
    byte[] value = table.get(cell);
    if (value != null) {
      cells.add(new KeyValue(request.key(), request.family(), request.qualifiers()[0], value));
    }
    return Deferred.fromResult(cells);
  }

  private static String cell(byte[] row, byte[] family, byte[] qualifier) {
    return new String(row, ISO_8859_1)
        + " "
        + new String(family, ISO_8859_1)
        + ":"
        + new String(qualifier, ISO_8859_1);
  }

  private void forward(String kind, String name, int uid) {
    table.put(name + " id:" + kind, new byte[] {0, 0, (byte) uid});
  }

  private void map(String kind, String name, int uid) {
    forward(kind, name, uid);
    byte[] row = {0, 0, (byte) uid};
    table.put(
        cell(row, "name".getBytes(ISO_8859_1), kind.getBytes(ISO_8859_1)),
        name.getBytes(ISO_8859_1));
  }

  private static SeriesElement series(String metric, String key, String value) throws Exception {
    String json =
        "{\"type\":\"Metric\",\"metric\":\"%s\",\"timestamp\":1,\"value\":1,\"tags\":{\"%s\":\"%s\"}}"
            .formatted(metric, key, value);
    return (SeriesElement) new MessageReader().read(json.getBytes(StandardCharsets.UTF_8)).get(0);
  }

  @Test
  void aNameIsLookedUpOnce() throws Exception {
    map("metrics", "m\u00e9", 1);
    map("tagk", "host", 1);
    map("tagv", "a", 2);
    names.require(series("m\u00e9", "host", "a"));
    assertThat(reads).hasSize(6);
    names.require(series("m\u00e9", "host", "a"));
    names.requireTag("host", "a");
    assertThat(reads).hasSize(6);
    map("tagv", "b", 3);
    names.require(series("m\u00e9", "host", "b"));
    assertThat(reads).hasSize(8);
  }

  /** The TSD makes its UID, or another program: then it is looked up. */
  @Test
  void aNameWithoutUidIsLookedUpAgain() throws Exception {
    map("tagk", "host", 1);
    map("tagv", "a", 2);
    names.require(series("m", "host", "a"));
    forward("metrics", "m", 9);
    map("metrics", "other", 9);
    assertThatThrownBy(() -> names.require(series("m", "host", "a")))
        .isInstanceOf(BadMessageException.class);
  }

  @Test
  void theSecondNameOfAUidIsRefused() throws Exception {
    map("metrics", "m", 1);
    map("tagk", "host", 1);
    map("tagv", "a", 2);
    forward("metrics", "m2", 1);
    forward("tagk", "host2", 1);
    forward("tagv", "a2", 2);
    assertThatThrownBy(() -> names.require(series("m2", "host", "a")))
        .hasMessageContaining("metric must be the name of its UID 000001, which is m")
        .hasMessageEndingWith("found m2");
    assertThatThrownBy(() -> names.require(series("m", "host2", "a")))
        .hasMessageContaining("tag key must be")
        .hasMessageEndingWith("found host2");
    assertThatThrownBy(() -> names.requireTag("host", "a2"))
        .hasMessageContaining("tag value must be")
        .hasMessageEndingWith("found a2");
    int before = reads.size();
    assertThatThrownBy(() -> names.require(series("m2", "host", "a")))
        .hasMessageEndingWith("found m2");
    assertThat(reads).hasSize(before);
    names.require(series("m", "host", "a"));
  }

  /** Each kind has its own UIDs; a UID without a reverse mapping has no other name. */
  @Test
  void namesOfOtherKindsDoNotCount() throws Exception {
    map("metrics", "x", 1);
    map("tagk", "y", 1);
    forward("tagv", "z", 1);
    names.require(series("x", "y", "z"));
    assertThatThrownBy(() -> names.require(series("x", "y", "\u6771")))
        .isInstanceOf(BadMessageException.class)
        .hasMessageContaining("ISO-8859-1");
  }

  /** The TSD refuses them without reading, so a message of many costs no reads. */
  @Test
  void whatTheTsdRefusesIsNotLookedUp() throws Exception {
    for (SeriesElement each : List.of(series("m m", "host", "a"), series("m", "h h", "a"))) {
      assertThatThrownBy(() -> names.require(each))
          .satisfies(e -> assertThat(StorageFailure.of(e).bad()).isNotNull());
    }
    StringBuilder tags = new StringBuilder("a");
    for (int i = 0; i < 9; i++) {
      tags.append("\",\"k").append(i).append("\":\"v");
    }
    assertThatThrownBy(() -> names.require(series("m", "host", tags.toString())))
        .hasMessageContaining("8 tags at most, found 10");
    assertThat(reads).isEmpty();
  }

  @Test
  void aFailureOfHBaseIsNoVerdict() throws Exception {
    map("metrics", "m", 1);
    down = true;
    assertThatThrownBy(() -> names.require(series("m", "host", "a")))
        .satisfies(e -> assertThat(StorageFailure.of(e).isOutage()).isTrue());
    down = false;
    names.require(series("m", "host", "a"));
    assertThat(reads).isNotEmpty();
  }
}
