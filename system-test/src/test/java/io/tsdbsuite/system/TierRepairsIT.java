package io.tsdbsuite.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.tiers.apply.ApplyOptions;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.TierApply;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code tiers apply} of two days beside a TSD whose kafka-ingest gets rollups and requests for
 * repairs of these days, and late points of the day after, which stays.
 */
@Tag("slow")
class TierRepairsIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /** The last midnight (UTC). */
  private static final long TODAY = System.currentTimeMillis() / 1000 / DAY * DAY;

  /** Three days, of which a policy of 30 days lets two go. */
  private static final long FROM = TODAY - 32 * DAY;

  private static final long STAYS = FROM + 2 * DAY;
  private static final long BEFORE_SNAPSHOT = Duration.ofHours(2).toMillis();
  private static final String METRIC = "tier.m";
  private static final List<String> HOSTS = List.of("a", "b");
  private static final String DATA = "tier-data";
  private static final String COVERAGE = "tier-coverage";
  private static final List<String> INTERVALS = List.of("1h", "1d");
  private static final String POLICY =
      "[{\"match\":\"tier.*\",\"raw\":\"30d\",\"1h\":\"13M\",\"1d\":\"5y\"}]";

  private static SystemStack stack;
  private static TsdServer tsd;
  private static Path directory;
  private static StorageSchema schema;
  private static RowKey keys;
  private static RollupConfig rollups;

  @BeforeAll
  static void start() throws Exception {
    stack = SystemStack.get();
    directory = SystemStack.directory("tiers");
    Files.createDirectory(directory.resolve("proofs"));
    Files.writeString(directory.resolve("tiers.json"), POLICY);
    Map<String, String> conf = stack.maskingConf("tier");
    conf.put("tsd.storage.enable_compaction", "false");
    rollups = RollupConfig.parse(conf.get("tsd.rollups.config"));
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      OpenTsdbTables.of(conf).coverage(COVERAGE).create(admin);
    }
    storeLongAgo(conf);
    tsd = stack.startTsd("tier", conf);
    schema = StorageSchema.from(TsdConfig.parse(Files.readString(tsd.configFile())));
    keys = new RowKey(schema);
    rollUpAndProve();
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  /** Stores two points of each hour without masks, by a TSD without plugins. */
  private static void storeLongAgo(Map<String, String> conf) throws IOException {
    Map<String, String> plain = new TreeMap<>(conf);
    plain.keySet().removeIf(key -> key.contains("plugin") || key.contains("publisher"));
    plain
        .keySet()
        .removeIf(key -> key.startsWith("KafkaRpcPlugin") || key.contains("rollup_query"));
    TsdServer first = stack.startTsd("tier-plain", plain);
    List<DataPoint> points = new ArrayList<>();
    for (long hour = FROM; hour < FROM + 3 * DAY; hour += HOUR) {
      for (String host : HOSTS) {
        Map<String, String> tags = Map.of("host", host);
        points.add(new DataPoint(METRIC, hour + 60, hour / HOUR % 24 + 1, tags));
        points.add(new DataPoint(METRIC, hour + 1800, 100L, tags));
      }
    }
    first.client().put(points, 3000);
    first.stop();
    List<RawCell> old = new ArrayList<>();
    for (RawCell cell : stack.hbase().cells(DATA)) {
      long time = cell.timestamp() - BEFORE_SNAPSHOT;
      old.add(new RawCell(cell.row(), cell.family(), cell.qualifier(), time, cell.value()));
    }
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      admin.disableTable(TableName.valueOf(DATA));
      admin.truncateTable(TableName.valueOf(DATA), true);
    }
    stack.hbase().putCells(DATA, old);
  }

  private static void rollUpAndProve() throws Exception {
    stack.hbase().snapshot(DATA, "tier-data-1");
    stack.hbase().snapshot("tier-uid", "tier-uid-1");
    command(
        "roll-up",
        "--data-snapshot=tier-data-1",
        "--snapshot-root=" + stack.hbase().rootDir(),
        "--interval=" + String.join(",", INTERVALS),
        "--from=" + Instant.ofEpochSecond(FROM),
        "--to=" + Instant.ofEpochSecond(FROM + 3 * DAY),
        "--sink=hfile",
        "--hfile-dir=" + directory.resolve("hfiles").toUri());
    try (Stream<Path> runs = Files.list(directory.resolve("hfiles"))) {
      Path run = runs.findFirst().orElseThrow();
      command("load", "load", "--hfile-dir=" + run.toUri(), "--coverage-table=" + COVERAGE);
    }
    try (CoverageTable table = new CoverageTable(stack.hbase().connection(), COVERAGE)) {
      table.upgrade();
    }
    for (String interval : INTERVALS) {
      stack.hbase().snapshot("tier-" + interval, "tier-" + interval + "-1");
    }
    JsonNode proven =
        command(
            "prove",
            "tiers",
            "prove",
            "--policy=" + directory.resolve("tiers.json"),
            "--snapshot-root=" + stack.hbase().rootDir(),
            "--data-snapshot=tier-data-1",
            "--uid-snapshot=tier-uid-1",
            "--against-snapshot=tier-1h-1,tier-1d-1",
            "--proofs=" + directory.resolve("proofs"));
    assertThat(proven.at("/days/proven").intValue()).isEqualTo(2);
  }

  private static JsonNode command(String name, String... arguments) throws IOException {
    Path report = directory.resolve(name + ".json");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--tsd-config=" + tsd.configFile());
    all.add("--report=" + report);
    RollupJob.Run run = RollupJob.main(report, all, Map.of());
    assertThat(run.exitCode()).as(run.output()).isEqualTo(ExitCode.DONE);
    return run.report();
  }

  /** Applies a day; when its floor is raised, before the second look at the coverage, does more. */
  private static ApplyReport apply(int day, Runnable inThePause) {
    List<String> problems = new ArrayList<>();
    Policy policy = PolicyReader.read(POLICY.getBytes(UTF_8), rollups, problems);
    assertThat(problems).isEmpty();
    ApplyOptions options =
        new ApplyOptions(
            "test",
            Policy.RAW,
            policy,
            directory.resolve("proofs").toString(),
            directory.resolve("markers").toUri().toString(),
            stack.hbase().rootDir(),
            new Window(FROM + day * DAY, FROM + (day + 1) * DAY),
            schema,
            rollups,
            HistogramCodecs.NONE,
            COVERAGE,
            Duration.ZERO,
            null);
    Clock clock = new FloorClock(FROM + (day + 1) * DAY, inThePause);
    return new TierApply(stack.hbase().clientConfiguration(), options, clock).run(false);
  }

  /** A clock of an apply that does something when it is first asked after the floor is raised. */
  private static final class FloorClock extends Clock {
    private final long floor;
    private final Runnable then;
    private boolean done;

    FloorClock(long floor, Runnable then) {
      this.floor = floor;
      this.then = then;
    }

    @Override
    public Instant instant() {
      if (!done && floor() == floor) {
        done = true;
        then.run();
      }
      return Clock.systemUTC().instant();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }
  }

  private static long floor() {
    try (CoverageTable table = new CoverageTable(stack.hbase().connection(), COVERAGE)) {
      return table
          .read(Map.of("1h", "tier-1h", "1d", "tier-1d"), System.currentTimeMillis())
          .floor(CoverageFloor.RAW, METRIC);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends messages, and waits until all of them are stored or refused. */
  private static void send(String topic, List<String> messages) {
    String group = "tier-" + topic;
    stack
        .topics()
        .send(
            messages.stream()
                .map(message -> new ProducerRecord<byte[], byte[]>(group, message.getBytes(UTF_8)))
                .toList());
    Await.until(
        "group " + group, SystemStack.PATIENCE, () -> stack.topics().lag(group, group) == 0);
  }

  private static String request(String host, long hour) {
    return """
    {"type":"RollupRequest","v":1,"metric":"%s","tags":{"host":"%s"},"timestamp":%d,\
    "intervals":["1h","1d"],"reason":"late"}\
    """
        .formatted(METRIC, host, hour);
  }

  /** A rollup with values that are not those of the points. */
  private static String rollup(String interval, long start, long asOf) {
    return """
    {"type":"Rollup","v":1,"metric":"%s","tags":{"host":"a"},"timestamp":%d,\
    "interval":"%s","asOf":%d,"values":{"sum":1,"min":1,"max":1,"count":1}}\
    """
        .formatted(METRIC, start, interval, asOf);
  }

  /** How many messages were refused because of a floor. */
  private static long belowFloor() {
    return tsd.client().stats().entrySet().stream()
        .filter(each -> each.getKey().startsWith("tsd.kafka-ingest.dead_letters "))
        .filter(each -> (each.getKey() + " ").contains(" reason=belowFloor "))
        .mapToLong(each -> Long.parseLong(each.getValue()))
        .sum();
  }

  /**
   * Sends, again and again: late points of the day that stays, requests for repairs of all three
   * days, and rollups of the first two from before their snapshot, which change nothing.
   */
  private static final class Repairs implements AutoCloseable {
    /** Messages of a round that are of one of the first two days. */
    private static final int OF_A_DAY = 3;

    private final long asOf = System.currentTimeMillis() - 2 * BEFORE_SNAPSHOT;
    private final Thread thread = new Thread(this::run, "repairs");
    private volatile boolean ended;
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile long refused;
    private volatile Throwable failure;

    Repairs() {
      thread.start();
    }

    private void run() {
      try {
        while (!ended) {
          long before = belowFloor();
          int round = rounds.get();
          long hour = round % 24 * HOUR;
          send("points", List.of(InputPoints.point(METRIC, "a", STAYS + hour + 61 + round, 7)));
          List<String> requests = new ArrayList<>();
          List<String> old = new ArrayList<>();
          for (int day = 0; day < 3; day++) {
            for (String host : HOSTS) {
              requests.add(request(host, FROM + day * DAY + hour));
            }
            if (day < 2) {
              old.add(rollup("1h", FROM + day * DAY + hour, asOf));
            }
          }
          send("requests", requests);
          send("rollups", old);
          refused = belowFloor() - before;
          int unused = rounds.incrementAndGet();
        }
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }

    /** Waits until a whole round was refused as far as it is of the first days. */
    void awaitRefused(int days) {
      int from = rounds.get();
      until(() -> rounds.get() > from + 1 && refused == (long) days * OF_A_DAY);
    }

    void awaitRound() {
      int from = rounds.get();
      until(() -> rounds.get() > from + 1);
    }

    private void until(BooleanSupplier condition) {
      Await.until(
          "repairs", SystemStack.PATIENCE, () -> failure != null || condition.getAsBoolean());
      assertThat(failure).isNull();
    }

    @Override
    public void close() {
      ended = true;
      Await.until("the last repairs", SystemStack.PATIENCE, () -> !thread.isAlive());
    }
  }

  /** Values of the rollups that begin in a time, by interval, row and column. */
  private static Map<String, String> rollups(long from, long to) throws IOException {
    HexFormat hex = HexFormat.of();
    Map<String, String> all = new TreeMap<>();
    for (String name : INTERVALS) {
      RollupInterval interval = rollups.interval(name);
      for (RawCell cell : stack.hbase().cells(interval.table())) {
        if (!RollupCell.is(cell.qualifier(), 0, cell.qualifier().length)) {
          continue;
        }
        long start =
            keys.baseTime(cell.row(), 0)
                + RollupCell.offset(cell.qualifier(), 0) * interval.seconds();
        if (start >= from && start < to) {
          all.put(
              name + " " + hex.formatHex(cell.row()) + " " + hex.formatHex(cell.qualifier()),
              hex.formatHex(cell.value()));
        }
      }
    }
    return all;
  }

  /** Raw cells of rows that begin in a time. */
  private static List<RawCell> points(long from, long to) throws IOException {
    return stack.hbase().cells(DATA).stream()
        .filter(cell -> keys.baseTime(cell.row(), 0) >= from)
        .filter(cell -> keys.baseTime(cell.row(), 0) < to)
        .toList();
  }

  private static List<String> masks(long from, long to) throws IOException {
    return stack.hbase().cells(COVERAGE).stream()
        .map(cell -> new String(cell.row(), UTF_8))
        .filter(row -> row.startsWith("mask/"))
        .filter(
            row -> {
              long hour = Long.parseLong(row.split("/", -1)[1]);
              return hour >= from && hour < to;
            })
        .toList();
  }

  /** The sums of the rollups of an hour, and those of its points, by row key. */
  private static Map<String, Long> sums(long from, long to, boolean ofRollups) throws IOException {
    HexFormat hex = HexFormat.of();
    Map<String, Long> sums = new TreeMap<>();
    List<RawCell> cells = ofRollups ? stack.hbase().cells("tier-1h") : points(from, to);
    for (RawCell cell : cells) {
      byte[] row = cell.row().clone();
      long hour = keys.baseTime(row, 0);
      long value = 0;
      if (!ofRollups) {
        value = new BigInteger(cell.value()).longValueExact();
      } else if (RollupCell.is(cell.qualifier(), 0, cell.qualifier().length)
          && RollupCell.aggregatorId(cell.qualifier(), 0) == rollups.aggregatorId("sum")) {
        hour += RollupCell.offset(cell.qualifier(), 0) * HOUR;
        value = (long) RollupCell.decode(cell.qualifier(), 0, cell.value(), 0, cell.value().length);
      } else {
        continue;
      }
      if (hour >= from && hour < to) {
        keys.writeBaseTime(row, hour);
        sums.merge(hex.formatHex(row), value, Long::sum);
      }
    }
    return sums;
  }

  @Test
  void repairsAndLatePointsBesideAnApply() throws Exception {
    long lateHour = FROM + DAY + 5 * HOUR;
    Map<String, String> first = rollups(FROM, FROM + DAY);
    Map<String, String> second = rollups(FROM + DAY, STAYS);
    assertThat(first).hasSize(HOSTS.size() * 25 * 4);
    Map<String, String> repaired;
    try (Repairs repairs = new Repairs()) {
      repairs.awaitRound();
      ApplyReport done = apply(0, () -> repairs.awaitRefused(1));
      assertThat(done.exitCode()).as(done::message).isEqualTo(ExitCode.DONE);
      assertThat(done.booksClose()).isTrue();
      assertThat(done.report().json().at("/days/0/rows/deleted").longValue()).isEqualTo(2 * 24);
      assertThat(points(FROM, FROM + DAY)).isEmpty();
      repairs.awaitRefused(1);
      assertThat(rollups(FROM, FROM + DAY)).isEqualTo(first);
      assertThat(rollups(FROM + DAY, STAYS)).isEqualTo(second);

      // A late point in the pause keeps its day.
      List<RawCell> before = points(FROM + DAY, STAYS);
      ApplyReport refused =
          apply(
              1,
              () -> {
                repairs.awaitRefused(2);
                send("points", List.of(InputPoints.point(METRIC, "a", lateHour + 7, 10_000)));
              });
      assertThat(refused.exitCode()).as(refused::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(refused.message()).contains("a late point may have come", "is again what it was");
      assertThat(floor()).isEqualTo(FROM + DAY);
      assertThat(points(FROM + DAY, STAYS)).hasSize(before.size() + 1).containsAll(before);

      // Its repair makes the rollups right; then the day may go, and the point stays.
      Await.until(
          "the repair of a late point",
          SystemStack.PATIENCE,
          () -> {
            send("requests", List.of(request("a", lateHour)));
            return masks(FROM + DAY, STAYS).isEmpty();
          });
      assertThat(sums(FROM + DAY, STAYS, true)).isEqualTo(sums(FROM + DAY, STAYS, false));
      repaired = rollups(FROM + DAY, STAYS);
      assertThat(repaired.keySet()).isEqualTo(second.keySet());
      assertThat(
              repaired.entrySet().stream()
                  .filter(each -> !second.get(each.getKey()).equals(each.getValue())))
          .as("sum, max and count of the hour and the day")
          .hasSize(6);
      ApplyReport again = apply(1, () -> repairs.awaitRefused(2));
      assertThat(again.exitCode()).as(again::message).isEqualTo(ExitCode.DONE);
      assertThat(again.report().json().at("/days/0/rows/deleted").longValue())
          .isEqualTo(2 * 24 - 1);
      assertThat(again.report().json().at("/days/0/rows/keptForNewerCells").longValue())
          .isEqualTo(1);
      assertThat(points(FROM, STAYS)).hasSize(1);
      repairs.awaitRefused(2);
    }
    // Afterwards.
    long refused = belowFloor();
    send("points", List.of(InputPoints.point(METRIC, "b", FROM + 7 * HOUR + 7, 20_000)));
    send("requests", List.of(request("b", FROM + 7 * HOUR), request("a", lateHour)));
    long now = System.currentTimeMillis();
    String wrong = rollup("1h", FROM + 7 * HOUR, now);
    send(
        "rollups",
        List.of(
            wrong,
            wrong.replaceAll("\"values\":.*", "\"values\":{}}"),
            rollup("1d", FROM + DAY, now)));
    assertThat(belowFloor() - refused).isEqualTo(5);
    assertThat(points(FROM, STAYS)).hasSize(2);
    assertThat(rollups(FROM, FROM + DAY)).isEqualTo(first);
    assertThat(rollups(FROM + DAY, STAYS)).isEqualTo(repaired);

    Await.until(
        "repairs of the day that stays",
        SystemStack.PATIENCE,
        () -> {
          List<String> requests = new ArrayList<>();
          for (long hour = STAYS; hour < STAYS + DAY; hour += HOUR) {
            requests.add(request("a", hour));
          }
          send("requests", requests);
          return masks(STAYS, STAYS + DAY).isEmpty();
        });
    assertThat(sums(STAYS, STAYS + DAY, true)).isEqualTo(sums(STAYS, STAYS + DAY, false));
  }
}
