package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Rows of one series and hour in several salt buckets, all of which a TSD scans. */
class RepairBucketsIT {
  private static final long DAY = 1763510400L;
  private static final long HOUR = DAY + 5 * 3600;
  private static final int SERIES = 8;

  private static Map<String, String> conf(String name, int buckets) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.storage.salt.width", "1");
    conf.put("tsd.storage.fix_duplicates", "false");
    conf.put("tsd.storage.salt.buckets", Integer.toString(buckets));
    conf.put("tsd.storage.hbase.data_table", name + "-data");
    conf.put("tsd.storage.hbase.uid_table", name + "-uid");
    conf.put(
        "tsd.rollups.config",
        RepairStack.ROLLUP_CONFIG
            .replace("\"tsdb\"", "\"" + name + "-data\"")
            .replace("\"repair-", "\"" + name + "-"));
    return conf;
  }

  private static String of(int series, String message) {
    return message.replace("{\"host\":\"a\"}", "{\"host\":\"h" + series + "\"}");
  }

  /** A point of 4 in every minute but the last one, and one two hours before. */
  private static List<String> early(String metric) {
    List<String> points = new ArrayList<>();
    for (int series = 0; series < SERIES; series++) {
      points.add(of(series, RepairStack.point(metric, HOUR - 7200, 7)));
      for (int minute = 0; minute < 59; minute++) {
        points.add(of(series, RepairStack.point(metric, HOUR + minute * 60L, 4)));
      }
    }
    return points;
  }

  /** A point of 1000 in the last minute. */
  private static void sendLate(RepairStack stack, String metric) {
    List<String> late = new ArrayList<>();
    for (int series = 0; series < SERIES; series++) {
      late.add(of(series, RepairStack.point(metric, HOUR + 3599, 1000)));
    }
    stack.send("points", late);
    stack.await("points");
  }

  /** The salts under which the hour of each series lies, by the rest of the key. */
  private static Map<String, Set<Byte>> buckets(String table) throws IOException {
    Map<String, Set<Byte>> buckets = new TreeMap<>();
    for (RawCell cell : IngestStack.get().hbase().cells(table)) {
      byte[] row = cell.row();
      String key = HexFormat.of().formatHex(row, 1, row.length);
      buckets.computeIfAbsent(key, none -> new TreeSet<>()).add(row[0]);
    }
    return buckets;
  }

  private static void assertRepaired(RepairStack stack, String metric) {
    List<String> requests = new ArrayList<>();
    for (int series = 0; series < SERIES; series++) {
      requests.add(of(series, RepairStack.request(metric, HOUR, "10m", "1h", "1d")));
    }
    stack.send("requests", requests);
    JsonNode status = stack.await("requests");
    RepairIT.assertBooksClose(status);
    assertThat(status.at("/repairs/repaired").asInt()).isEqualTo(SERIES);
    assertRollups(stack, metric, "1h-sum", HOUR, 59 * 4 + 1000);
    assertRollups(stack, metric, "1h-count", HOUR, 60);
    assertRollups(stack, metric, "1h-min", HOUR, 4);
    assertRollups(stack, metric, "1h-max", HOUR, 1000);
    assertRollups(stack, metric, "10m-sum", HOUR, 40);
    assertRollups(stack, metric, "1d-sum", DAY, 7 + 59 * 4 + 1000);
    assertRollups(stack, metric, "1d-count", DAY, 61);
    // Every bucket of each hour of the day.
    assertThat(status.at("/repairs/rows").asInt()).isEqualTo(SERIES * 24 * 20);
  }

  private static void assertRollups(
      RepairStack stack, String metric, String downsample, long start, double value) {
    QuerySpec query =
        QuerySpec.of(metric, start, start == DAY ? DAY + 86_398 : HOUR + 3598)
            .downsample(downsample)
            .rollupUsage("ROLLUP_NOFALLBACK");
    List<Series> all = stack.tsd().client().query(query);
    assertThat(all).as(downsample).hasSize(SERIES);
    for (Series series : all) {
      assertThat(series.points())
          .as("%s of %s", downsample, series.tags())
          .containsEntry(start * 1000, value);
    }
  }

  @Test
  void bucketsThatWereRaised() throws IOException {
    String name = "repair-raised";
    String metric = "repair.raised";
    try (RepairStack before = new RepairStack(name + "-5", conf(name, 5))) {
      before.send("points", early(metric));
      before.await("points");
    }
    try (RepairStack after = new RepairStack(name + "-20", conf(name, 20))) {
      sendLate(after, metric);
      assertThat(buckets(name + "-data").values()).anyMatch(salts -> salts.size() == 2);
      assertRepaired(after, metric);
    }
  }

  @Test
  void importsOfOpenTsdb22AreInBucket0() throws IOException {
    String name = "repair-import";
    String metric = "repair.import";
    try (RepairStack stack = new RepairStack(name, conf(name, 20))) {
      stack.send("points", early(metric));
      stack.send("points", List.of(RepairStack.point("repair.other", HOUR, 1)));
      stack.await("points");
      moveToBucket0(name + "-data");
      assertThat(buckets(name + "-data").values()).allMatch(salts -> salts.contains((byte) 0));
      sendLate(stack, metric);
      stack.store("points", RepairStack.point("repair.other", HOUR, 2));
      assertRepaired(stack, metric);

      // Two values of one instant in two buckets: no row of them is right.
      stack.store("requests", RepairStack.request("repair.other", HOUR, "1h"));
      List<ConsumerRecord<byte[], byte[]>> letters = stack.topics().readAll(stack.deadLetters());
      assertThat(letters).hasSize(1);
      assertThat(
              new String(letters.get(0).headers().lastHeader("kafka-ingest.reason").value(), UTF_8))
          .isEqualTo("conflictingDuplicates");
    }
  }

  private static void moveToBucket0(String name) throws IOException {
    Iterable<RawCell> cells = IngestStack.get().hbase().cells(name);
    try (Table table = IngestStack.get().hbase().connection().getTable(TableName.valueOf(name))) {
      for (RawCell cell : cells) {
        byte[] row = Arrays.copyOf(cell.row(), cell.row().length);
        if (row[0] != 0) {
          row[0] = 0;
          table.put(
              new Put(row)
                  .addColumn(
                      cell.family().getBytes(UTF_8),
                      cell.qualifier(),
                      cell.timestamp(),
                      cell.value()));
          table.delete(
              new Delete(cell.row())
                  .addColumn(cell.family().getBytes(UTF_8), cell.qualifier(), cell.timestamp()));
        }
      }
    }
  }
}
