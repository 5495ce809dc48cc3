package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The plan from the indexes of a snapshot, beside a scan of all cells. */
class TiersPlanIT {
  private static final long HOUR = 3600;
  private static final long DAY = 86400;
  private static final long START = SmallData.START;
  private static final int DAYS = 6;
  private static final int SERIES = 12;
  private static final List<String> METRICS = List.of("app.a", "app.b", "web.a");
  private static final int BLOCK_BYTES = 1024;

  /** Header and checksum of a block, bytes. */
  private static final int BLOCK_OVERHEAD = 45;

  /** The last block of each is smaller. */
  private static final int MOST_HFILES = 10;

  /** The most that the sequence number of a cell takes, bytes. */
  private static final int SEQUENCE = 5;

  /** Raw data of the first four days go, and the hours of the first two. */
  private static final String POLICY =
      "[{\"match\":\"app.*\",\"raw\":\"2d\",\"1h\":\"4d\",\"1d\":\"5d\"}]";

  private static final Instant NOW = Instant.ofEpochSecond(START + DAYS * DAY + 5 * HOUR);

  private final HBaseServer hbase = SharedStack.get().hbase();
  private final Path directory = TestFiles.directory("tiers");
  private String tables = "";
  private Path tsdConfig = directory;
  private Path rollupConfig = directory;
  private RowKey keys = new RowKey(StorageSchema.defaults());

  @Test
  void withoutSalt() throws Exception {
    make("tiers", List.of(HexFormat.of().parseHex("000002")));
    requireThePlanOfTheScan();

    JobRun foreign = plan("--tsd.storage.salt.width=1");
    assertThat(foreign.exitCode()).as(foreign::everything).isEqualTo(ExitCode.USAGE);
    assertThat(foreign.err()).contains("none of the row keys that were looked at fits it");
    JobRun wrongTable = run(tables + "-data", tables + "-data", List.of());
    assertThat(wrongTable.exitCode()).as(wrongTable::everything).isEqualTo(ExitCode.USAGE);
    JobRun noHours = run(tables + "-data", tables + "-uid", List.of(tables + "-rollup-1d"));
    assertThat(noHours.exitCode()).as(noHours::everything).isEqualTo(ExitCode.USAGE);
    assertThat(noHours.err())
        .contains(
            "--rollup-snapshot must have a snapshot of table tiers-rollup-1h, because the policy"
                + " limits 1h")
        .doesNotContain("1d");
    JobRun raw = run(tables + "-data", tables + "-uid", List.of(tables + "-data"));
    assertThat(raw.err()).contains("which is that of no interval of rollup_config.json");
  }

  @Test
  void withSaltBuckets() throws Exception {
    make(
        "tiers-salted",
        List.of(new byte[] {1}, new byte[] {3}),
        "tsd.storage.salt.width",
        "1",
        "tsd.storage.salt.buckets",
        "5");
    requireThePlanOfTheScan();
  }

  private void make(String name, List<byte[]> splits, String... more) throws Exception {
    tables = name;
    Map<String, String> conf = CorrectnessIT.conf(name, more);
    conf.put("tsd.storage.enable_compaction", "false");
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> key : conf.entrySet()) {
      config = config.with(key.getKey(), key.getValue());
    }
    keys = new RowKey(StorageSchema.from(config));
    Stack stack = SharedStack.get();
    stack.create(
        OpenTsdbTables.of(conf)
            .rollup(name + "-rollup-1h")
            .rollup(name + "-rollup-1d")
            .encoding(DataBlockEncoding.NONE)
            .splits(splits));
    for (String table : List.of("-data", "-rollup-1h", "-rollup-1d")) {
      smallBlocks(name + table);
    }
    TsdServer tsd = stack.startTsd(name, conf);
    tsdConfig = tsd.configFile();
    rollupConfig = TestFiles.rollupConfig(directory, name);
    // Two HFiles in each region: every second hour, then those between.
    for (int odd = 0; odd < 2; odd++) {
      tsd.client().put(points(odd), 3000);
      hbase.flush(name + "-data");
    }
    tsd.stop();
    for (String interval : List.of("1h", "1d")) {
      rollups(RollupConfig.load(rollupConfig.toString()).interval(interval));
    }
    List<RawCell> cells = hbase.cells(name + "-data");
    hbase.split(name + "-data", cells.get(cells.size() / 3).row());
    for (String table : List.of("-data", "-uid", "-rollup-1h", "-rollup-1d")) {
      hbase.snapshot(name + table, name + table);
    }
  }

  private void smallBlocks(String table) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      TableName name = TableName.valueOf(table);
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue("hbase.hregion.majorcompaction", "86400000")
              .setNormalizationEnabled(true)
              .modifyColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(family)
                      .setBlocksize(BLOCK_BYTES)
                      .setConfiguration("hfile.index.block.max.size", "1024")
                      .build())
              .build());
    }
  }

  private static List<DataPoint> points(int odd) {
    List<DataPoint> points = new ArrayList<>();
    for (String metric : METRICS) {
      for (long hour = START + odd * HOUR; hour < START + DAYS * DAY; hour += 2 * HOUR) {
        for (int i = 0; i < SERIES; i++) {
          Map<String, String> tags = Map.of("host", "h" + i);
          points.add(new DataPoint(metric, hour + 7L * i, hour / HOUR % 24 + i, tags));
          points.add(new DataPoint(metric, hour + 7L * i + 900, i + 0.25, tags));
        }
      }
    }
    return points;
  }

  /** A count for each hour or day of each series. */
  private void rollups(RollupInterval interval) throws IOException {
    List<RawCell> rollups = new ArrayList<>();
    for (RawCell cell : hbase.cells(tables + "-data")) {
      long hour = keys.baseTime(cell.row(), 0);
      long base = interval.baseTime(hour);
      byte[] row = cell.row().clone();
      keys.writeBaseTime(row, base);
      byte[] qualifier = RollupCell.countQualifier(2, RollupCell.offset(interval, base, hour));
      rollups.add(new RawCell(row, "t", qualifier, 1, RollupCell.countValue(2)));
    }
    hbase.putCells(interval.table(), rollups);
  }

  private JobRun plan(String... more) throws IOException {
    return run(
        tables + "-data",
        tables + "-uid",
        List.of(tables + "-rollup-1d", tables + "-rollup-1h"),
        more);
  }

  private JobRun run(String data, String uids, List<String> rollups, String... more)
      throws IOException {
    Path policy = Files.writeString(directory.resolve("tiers.json"), POLICY);
    return new JobRun(directory)
        .now(NOW)
        .with(
            "tiers",
            "plan",
            "--policy=" + policy,
            "--snapshot-root=" + hbase.rootDir(),
            "--data-snapshot=" + data,
            "--uid-snapshot=" + uids,
            "--rollup-snapshot=" + String.join(",", rollups),
            "--tsd-config=" + tsdConfig,
            "--rollup-config=" + rollupConfig)
        .with(more)
        .run();
  }

  private void requireThePlanOfTheScan() throws IOException {
    Path page = directory.resolve("tiers.html");
    JobRun run = plan("--json", "--price=0.02", "--page=" + page);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
    JsonNode plan = new ObjectMapper().readTree(run.out());
    assertThat(plan.get("booksClose").booleanValue()).isTrue();
    assertThat(Files.readString(page)).contains("app.a", "Table 1h", "2025-11-18");
    long goes = 0;
    for (JsonNode table : plan.get("tables")) {
      requireBytesOfTheScan(table);
      goes += table.get("couldGo").longValue();
    }
    assertThat(plan.at("/all/couldGo").longValue()).isEqualTo(goes).isPositive();
    assertThat(plan.at("/all/savedAMonth").doubleValue()).isEqualTo(0.02 * goes / 1e9);
    JobRun text = plan("--top=1", "--proofs=" + Files.createTempDirectory(directory, "proofs"));
    assertThat(text.exitCode()).as(text::everything).isEqualTo(ExitCode.DONE);
    assertThat(text.out())
        .contains("raw: 2 days, goes before 2025-11-22T00:00:00Z", "2 others, of which")
        .contains("2025-11-20, of which", "exact to", "books              close")
        .contains("proofs: missing, days", "  2025-11-18 to 2025-11-21")
        .contains("NORMALIZATION_ENABLED: true");
  }

  private void requireBytesOfTheScan(JsonNode table) throws IOException {
    String interval = table.get("table").textValue();
    Map<String, long[]> scanned = new TreeMap<>();
    for (RawCell cell : hbase.cells(table.get("name").textValue())) {
      byte[] row = cell.row();
      // UIDs are given in the order of the metrics.
      String metric = METRICS.get((int) keys.metricUid(row, 0) - 1);
      long[] bytes =
          scanned.computeIfAbsent(
              metric + " " + LocalDate.ofEpochDay(keys.baseTime(row, 0) / DAY), any -> new long[2]);
      bytes[0] +=
          new KeyValue(row, Bytes.toBytes("t"), cell.qualifier(), 1L, cell.value()).getLength();
      bytes[1]++;
    }
    long all = 0;
    long goes = 0;
    Map<String, JsonNode> planned = new TreeMap<>();
    for (JsonNode metric : table.get("metrics")) {
      for (JsonNode day : metric.get("days")) {
        planned.put(metric.get("metric").textValue() + " " + day.get("day").textValue(), day);
        all += day.get("bytes").longValue();
        boolean old = day.get("day").textValue().compareTo(firstKept(interval)) < 0;
        goes +=
            old && !metric.get("metric").textValue().equals("web.a")
                ? day.get("bytes").longValue()
                : 0;
      }
    }
    assertThat(planned.keySet()).as(interval).isEqualTo(scanned.keySet());
    scanned.forEach(
        (day, bytes) -> {
          JsonNode of = planned.get(day);
          long least = of.get("bytes").longValue() - of.get("mayBeLess").longValue();
          long most = of.get("bytes").longValue() + of.get("mayBeMore").longValue();
          if (interval.equals("1d") && keys.metricOffset() > 0) {
            // A metric's row of the year in one bucket is smaller than a block.
            return;
          }
          String what =
              table.get("name").textValue() + " " + day + " " + of + ", cells " + bytes[0];
          assertThat(most).as(what).isGreaterThanOrEqualTo(bytes[0]);
          double withBlocks =
              (bytes[0] + SEQUENCE * bytes[1]) * (1 + (double) BLOCK_OVERHEAD / BLOCK_BYTES)
                  + MOST_HFILES * BLOCK_OVERHEAD;
          assertThat((double) least).as(what).isLessThanOrEqualTo(withBlocks);
        });
    assertThat(table.get("couldGo").longValue()).as(interval).isEqualTo(goes);
    JsonNode space = table.get("space");
    assertThat(space.get("regions").intValue()).isEqualTo(regions(table.get("name").textValue()));
    assertThat(space.get("toCompact").intValue())
        .as(interval)
        .isBetween(goes > 0 ? 1 : 0, goes > 0 ? space.get("regions").intValue() : 0);
    assertThat(space.at("/settings/hbase.hregion.majorcompaction").textValue())
        .isEqualTo("86400000");
    assertThat(space.at("/settings/NORMALIZATION_ENABLED").textValue()).isEqualTo("true");
    assertThat(space.at("/settings/hbase.normalizer.merge.min_region_size.mb").isNull()).isTrue();
    JsonNode books = table.get("books");
    assertThat(books.get("close").booleanValue()).isTrue();
    assertThat(books.get("metricsAndDays").longValue()).isEqualTo(all);
    assertThat(books.get("unknownMetrics").longValue()).isZero();
    assertThat(books.get("otherRegions").longValue()).isZero();
    assertThat(books.get("overhead").longValue()).isPositive();
    assertThat(books.get("hfiles").longValue())
        .isEqualTo(all + books.get("overhead").longValue())
        .isEqualTo(lengthOfHFiles(table.get("name").textValue()));
    if (interval.equals("raw")) {
      assertThat(table.at("/straddling/share").doubleValue()).isBetween(0.001, 0.5);
      assertThat(table.at("/straddling/uncertain").longValue())
          .isLessThan(table.at("/straddling/bytes").longValue());
    }
  }

  private int regions(String table) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      return admin.getRegions(TableName.valueOf(table)).size();
    }
  }

  /** The first day that does not go. */
  private static String firstKept(String interval) {
    return switch (interval) {
      case "raw" -> "2025-11-22";
      case "1h" -> "2025-11-20";
      // A row has a year, which has not ended.
      default -> "0";
    };
  }

  /** The files of all regions of a live table, without references. */
  private long lengthOfHFiles(String table) throws IOException {
    Path data = Path.of(URI.create(hbase.rootDir())).resolve("data/default").resolve(table);
    try (Stream<Path> files = Files.walk(data)) {
      long length = 0;
      for (Path file :
          files
              .filter(path -> path.getParent().getFileName().toString().equals("t"))
              .filter(path -> path.getFileName().toString().matches("[0-9a-f]{32}"))
              .toList()) {
        length += Files.size(file);
      }
      return length;
    }
  }
}
