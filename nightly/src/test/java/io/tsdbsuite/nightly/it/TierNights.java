package io.tsdbsuite.nightly.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.nightly.it.NightlyCluster.Run;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;

/**
 * Nights with a policy of tiers. All that has a time has that of the simulation, which is in the
 * future: cells, snapshots, rollup-nightly and rollup-job.
 */
final class TierNights implements AutoCloseable {
  static final LocalDate FIRST = LocalDate.parse("2036-03-07");
  static final String METRIC = "nightly.metric";
  static final String OTHER = "nightly.other";
  static final String RAW_TABLE = "tsdb";
  static final String HOUR_TABLE = "tsdb-rollup-1h";
  private static final String DAYS =
      ",{\"table\":\"tsdb-rollup-1d\",\"preAggregationTable\":\"tsdb-rollup-1d\","
          + "\"interval\":\"1d\",\"rowSpan\":\"1n\"}";
  private static final List<String> METRICS = List.of(METRIC, OTHER);
  private static final int SERIES = 2;
  private static final int STEP_SECONDS = 1800;
  private static final long HOUR = 3600;
  private static final Duration LONG = Duration.ofMinutes(5);

  /** Flags of a qualifier: a whole number of 8 bytes. */
  private static final int LONG_VALUE = 7;

  final NightlyCluster cluster;
  private final Random random = Seed.random();
  private final Map<String, byte[]> uids = new TreeMap<>();

  /** Points of each hour. */
  private final SortedMap<RollupKey, List<Long>> points = new TreeMap<>();

  /**
   * Starts the servers.
   *
   * @param policy the policy of tiers
   */
  TierNights(String name, String policy) throws Exception {
    cluster = NightlyCluster.start(name, FIRST, false, DAYS);
    Path dir = cluster.dir();
    Files.writeString(dir.resolve("tiers.json"), policy);
    Files.createDirectory(dir.resolve("proofs"));
    cluster
        .set(
            "job.options",
            "--interval 1h,1d --sink hfile --hfile-dir " + dir.resolve("hfiles").toUri())
        .set("snapshots.keep", "1")
        .set("tiers.policy", dir.resolve("tiers.json").toString())
        .set("tiers.proofs", dir.resolve("proofs").toString())
        .set("tiers.hfile-dir", markers().toUri().toString())
        .set("tiers.apply-options", "--coverage-pause 0s");
    cluster.stack().create(OpenTsdbTables.defaults().coverage("tsdb-coverage"));
    try (CoverageTable coverage =
        new CoverageTable(cluster.stack().hbase().connection(), "tsdb-coverage")) {
      coverage.upgrade();
    }
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode names = mapper.createObjectNode();
    METRICS.forEach(names.putArray("metric")::add);
    names.putArray("tagk").add("host");
    for (int i = 0; i < SERIES; i++) {
      names.withArray("tagv").add("h" + i);
    }
    for (JsonNode kind : cluster.stack().tsd().client().post("api/uid/assign", names)) {
      kind.fields()
          .forEachRemaining(
              uid -> uids.put(uid.getKey(), HexFormat.of().parseHex(uid.getValue().asText())));
    }
    assertThat(uids).hasSize(METRICS.size() + 1 + SERIES);
  }

  private Path markers() {
    return cluster.dir().resolve("markers");
  }

  private static long seconds(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
  }

  /** A point as a TSD stores it at a time. */
  private RawCell cell(String metric, String host, long time, long value, Instant stored) {
    long base = time / HOUR * HOUR;
    byte[] row =
        ByteBuffer.allocate(13)
            .put(uids.get(metric))
            .putInt((int) base)
            .put(uids.get("host"))
            .put(uids.get(host))
            .array();
    byte[] qualifier =
        ByteBuffer.allocate(2).putShort((short) ((time - base) << 4 | LONG_VALUE)).array();
    return new RawCell(
        row,
        "t",
        qualifier,
        stored.toEpochMilli(),
        ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  private RollupKey key(String metric, String host, long time) {
    return new RollupKey(metric, new TreeMap<>(Map.of("host", host)), time / HOUR * HOUR);
  }

  /** Points of a day, each stored a second after its time. */
  void put(LocalDate day) throws IOException {
    List<RawCell> cells = new ArrayList<>();
    for (String metric : METRICS) {
      for (int series = 0; series < SERIES; series++) {
        for (long time = seconds(day); time < seconds(day.plusDays(1)); time += STEP_SECONDS) {
          long value = random.nextInt(1000);
          cells.add(
              cell(metric, "h" + series, time, value, Instant.ofEpochSecond(time).plusSeconds(1)));
          points
              .computeIfAbsent(key(metric, "h" + series, time), any -> new ArrayList<>())
              .add(value);
        }
      }
    }
    cluster.stack().hbase().putCells("tsdb", cells);
  }

  /**
   * A late point of a day.
   *
   * @param counts whether it comes into the rollups
   */
  void putLate(String metric, LocalDate day, Instant stored, boolean counts) throws IOException {
    long time = seconds(day) + 7 * HOUR + 60;
    cluster.stack().hbase().putCells("tsdb", List.of(cell(metric, "h1", time, 12345, stored)));
    if (counts) {
      points.get(key(metric, "h1", time)).add(12345L);
    }
  }

  /** Deletes stored rollups of a day. */
  void deleteRollups(String metric, LocalDate day) throws IOException {
    byte[] begin = ByteBuffer.allocate(7).put(uids.get(metric)).putInt((int) seconds(day)).array();
    try (Table table =
        cluster.stack().hbase().connection().getTable(TableName.valueOf(HOUR_TABLE))) {
      for (RawCell cell : cluster.stack().hbase().cells(HOUR_TABLE)) {
        if (Arrays.equals(begin, Arrays.copyOf(cell.row(), begin.length))) {
          table.delete(new Delete(cell.row(), cell.timestamp()));
        }
      }
    }
  }

  /** A run two hours after a day. */
  Run run(LocalDate day, Map<String, String> changed, String... args) throws IOException {
    Instant now = NightlyCluster.nightAfter(day);
    cluster.simulateJob(now);
    return cluster.run(now, changed, args);
  }

  /** A run that ends with an exit code, and says some texts. */
  Run require(ExitCode code, LocalDate day, String... told) throws IOException {
    Run run = run(day, Map.of());
    assertThat(run.exitCode()).as(run.toString()).isEqualTo(code);
    for (String text : told) {
      assertThat(run.out()).contains(text);
    }
    return run;
  }

  /**
   * A run whose command of tiers is killed when something has happened.
   *
   * @param command its first words
   */
  Run killed(LocalDate day, String command, Map<String, String> changed, Predicate<Path> reached)
      throws Exception {
    CompletableFuture<Run> run =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run(day, changed);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    ProcessHandle driver =
        Await.value(
            command,
            LONG,
            () -> {
              assertThat(run).isNotDone();
              return reached.test(markers()) ? driver(command) : Optional.empty();
            });
    driver.destroyForcibly();
    try {
      return run.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static Optional<ProcessHandle> driver(String command) {
    return ProcessHandle.current()
        .descendants()
        .filter(
            one -> {
              try {
                String line =
                    Files.readString(
                        Path.of("/proc", Long.toString(one.pid()), "cmdline"),
                        StandardCharsets.ISO_8859_1);
                return line.contains("\0org.apache.spark.deploy.SparkSubmit\0")
                    && !line.contains("org.apache.spark.launcher.Main")
                    && line.contains("\0tiers\0" + command.replace(' ', '\0') + "\0");
              } catch (IOException e) {
                return false;
              }
            })
        .findFirst();
  }

  /** Number of files of a name below the directory of the markers. */
  static long files(Path markers, String name) {
    if (!Files.isDirectory(markers)) {
      return 0;
    }
    try (Stream<Path> all = Files.walk(markers)) {
      return all.filter(one -> one.endsWith(name)).count();
    } catch (IOException | UncheckedIOException e) {
      // Files come and go.
      return 0;
    }
  }

  void deleteSnapshot(LocalDate day) throws IOException {
    try (Admin admin = cluster.stack().hbase().connection().getAdmin()) {
      admin.deleteSnapshot("tsdb-" + day.plusDays(1).toString().replace("-", ""));
    }
  }

  void disable(boolean disabled) throws IOException {
    try (Admin admin = cluster.stack().hbase().connection().getAdmin()) {
      if (disabled) {
        admin.disableTable(TableName.valueOf("tsdb"));
      } else {
        admin.enableTable(TableName.valueOf("tsdb"));
      }
    }
  }

  /** A report in the directory of the reports. */
  JsonNode report(String name) throws IOException {
    return new ObjectMapper()
        .readTree(cluster.dir().resolve("reports").resolve(name + ".json").toFile());
  }

  /** The books of all deletions from a table: rows by their fate, and days that were deleted. */
  void requireBooks(String table, int days, long deleted, long newer) throws IOException {
    List<Path> reports;
    try (Stream<Path> all = Files.list(cluster.dir().resolve("reports"))) {
      reports =
          all.filter(one -> one.getFileName().toString().startsWith("tiers-apply-"))
              .sorted()
              .toList();
    }
    Map<String, JsonNode> done = new TreeMap<>();
    for (Path report : reports) {
      JsonNode root = new ObjectMapper().readTree(report.toFile());
      if (!root.path("table").asText().equals(table)) {
        continue;
      }
      for (JsonNode day : root.path("days")) {
        JsonNode rows = day.path("rows");
        if (!day.path("doneBefore").asBoolean()) {
          assertThat(rows.path("planned").asLong())
              .as(day.toPrettyString())
              .isEqualTo(
                  rows.path("deleted").asLong()
                      + rows.path("alreadyGone").asLong()
                      + rows.path("keptForNewerCells").asLong());
          done.put(day.path("match").asText() + " " + day.path("day").asText(), rows);
        }
      }
    }
    assertThat(done).hasSize(days);
    assertThat(done.values().stream().mapToLong(rows -> rows.path("deleted").asLong()).sum())
        .isEqualTo(deleted);
    assertThat(
            done.values().stream().mapToLong(rows -> rows.path("keptForNewerCells").asLong()).sum())
        .isEqualTo(newer);
  }

  /** The number of cells of a metric by the day in which their rows begin. */
  SortedMap<LocalDate, Integer> days(String table, String metric) throws IOException {
    RowKey keys =
        new RowKey(
            StorageSchema.from(
                TsdConfig.parse(Files.readString(cluster.stack().tsd().configFile()))));
    SortedMap<LocalDate, Integer> days = new TreeMap<>();
    for (RawCell cell : cluster.stack().hbase().cells(table)) {
      if (keys.metricUid(cell.row(), 0)
          == Integer.parseInt(HexFormat.of().formatHex(uids.get(metric)), 16)) {
        days.merge(LocalDate.ofEpochDay(keys.baseTime(cell.row(), 0) / 86400), 1, Integer::sum);
      }
    }
    return days;
  }

  /**
   * All rollups, as a TSD answers them, equal the points: of days all, of hours those of the days
   * that are left, and these are the newest.
   */
  void requireRollups(LocalDate last) throws IOException {
    for (String metric : METRICS) {
      requireRollups(metric, "1d", 24 * HOUR, FIRST, last);
      requireRollups(metric, "1h", HOUR, days(HOUR_TABLE, metric).firstKey(), last);
    }
  }

  private void requireRollups(
      String metric, String interval, long width, LocalDate first, LocalDate last) {
    long end = seconds(last.plusDays(1));
    SortedMap<RollupKey, List<Long>> buckets = new TreeMap<>();
    points.forEach(
        (key, values) -> {
          if (key.metric().equals(metric)
              && key.timestamp() >= seconds(first)
              && key.timestamp() < end) {
            buckets
                .computeIfAbsent(
                    new RollupKey(metric, key.tags(), key.timestamp() / width * width),
                    any -> new ArrayList<>())
                .addAll(values);
          }
        });
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    buckets.forEach(
        (key, values) ->
            expected.put(
                key,
                new RollupValues(
                    values.stream().mapToLong(Long::longValue).sum(),
                    values.stream().mapToLong(Long::longValue).min().orElseThrow(),
                    values.stream().mapToLong(Long::longValue).max().orElseThrow(),
                    values.size())));
    assertThat(
            RollupDiff.of(
                expected,
                TsdOracle.ofStoredRollups(cluster.stack().tsd().client())
                    .rollups(metric, seconds(FIRST), end, interval)))
        .as(metric + " " + interval)
        .isEmpty();
  }

  /** The days from the first to the last, which both count. */
  static Set<LocalDate> days(LocalDate first, LocalDate last) {
    return new TreeSet<>(first.datesUntil(last.plusDays(1)).toList());
  }

  @Override
  public void close() {
    cluster.close();
  }
}
