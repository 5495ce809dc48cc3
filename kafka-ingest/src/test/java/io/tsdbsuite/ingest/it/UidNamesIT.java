package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** One UID with two names: two series would become one. */
class UidNamesIT {
  private static final long HOUR = 1763510400L;
  private static final byte[] ID = {'i', 'd'};

  private static void map(String kind, String name, byte[] uid) throws IOException {
    try (Table table =
        IngestStack.get().hbase().connection().getTable(TableName.valueOf("tsdb-uid"))) {
      table.put(new Put(name.getBytes(ISO_8859_1)).addColumn(ID, kind.getBytes(UTF_8), uid));
    }
  }

  private static String twin(String point, String from, String to) {
    String twin = point.replace('"' + from + '"', '"' + to + '"');
    assertThat(twin).isNotEqualTo(point);
    return twin;
  }

  @Test
  void aNameThatIsNotThatOfItsUidIsRefused() throws IOException {
    String metric = "twin.metric";
    try (RepairStack first = new RepairStack("twins-before", Map.of())) {
      first.store("points", RepairStack.point(metric, HOUR + 1, 1).replace("host", "twin-host"));
      first.store(
          "points",
          twin(RepairStack.point(metric, HOUR + 2, 2), "a", "twin-a").replace("host", "twin-host"));
    }
    Uids uids = new Uids();
    map("metrics", "twin.alias", uids.metric(metric));
    map("tagk", "alias-host", uids.tagk("twin-host"));
    map("tagv", "alias-a", uids.tagv("twin-a"));
    try (RepairStack stack = new RepairStack("twins", Map.of())) {
      String point =
          twin(RepairStack.point(metric, HOUR + 3, 100), "a", "twin-a")
              .replace("host", "twin-host");
      List<String> twins =
          List.of(
              twin(point, metric, "twin.alias"),
              twin(point, "twin-host", "alias-host"),
              twin(point, "twin-a", "alias-a"),
              twin(point, "twin-a", "alias-a"));
      JsonNode status = stack.store("points", twins.toArray(new String[0]));
      assertThat(status.at("/deadLetters/refused").asLong()).isEqualTo(4);
      List<ConsumerRecord<byte[], byte[]>> letters = stack.topics().readAll(stack.deadLetters());
      assertThat(letters)
          .extracting(
              letter ->
                  new String(letter.headers().lastHeader("kafka-ingest.message").value(), UTF_8))
          .satisfiesExactly(
              message -> assertThat(message).contains("metric", "twin.alias", metric),
              message -> assertThat(message).contains("tag key", "alias-host", "twin-host"),
              message -> assertThat(message).contains("tag value", "alias-a", "twin-a"),
              message -> assertThat(message).contains("tag value", "alias-a", "twin-a"));

      String rollup =
          twin(
              RepairStack.rollup("twin.alias", "1h", HOUR, (HOUR + 3600) * 1000, 100)
                  .replace("host", "twin-host"),
              "a",
              "twin-a");
      assertThat(stack.store("rollups", rollup).at("/deadLetters/refused").asLong()).isOne();
      String request =
          twin(RepairStack.request(metric, HOUR, "1h").replace("host", "twin-host"), "a", "twin-a");
      assertThat(
              stack
                  .store("requests", twin(request, metric, "twin.alias"))
                  .at("/deadLetters/refused")
                  .asLong())
          .isOne();

      // The names of the UIDs themselves are stored, after the others and in the same TSD.
      stack.store("points", point.replace("\"value\":100", "\"value\":3"));
      stack.store("requests", request);
      assertThat(StoredRollups.of("repair-1h", 3600, metric))
          .isEqualTo(Map.of(HOUR, new Rollup(5, 2, 3, 2)));
    } finally {
      // The stack is that of all tests.
      try (Table table =
          IngestStack.get().hbase().connection().getTable(TableName.valueOf("tsdb-uid"))) {
        for (String name : List.of("twin.alias", "alias-host", "alias-a")) {
          table.delete(new Delete(name.getBytes(ISO_8859_1)));
        }
      }
    }
  }
}
