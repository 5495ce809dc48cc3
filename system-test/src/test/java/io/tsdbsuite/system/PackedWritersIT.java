package io.tsdbsuite.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.PackedCells;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All writers of packed rows, at the same rows: these are as the plain ones. */
@Tag("slow")
class PackedWritersIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /** Two days that are over. */
  private static final long FROM = System.currentTimeMillis() / 1000 / DAY * DAY - 3 * DAY;

  private static final int DAYS = 2;
  private static final int ROUNDS = 2;
  private static final String METRIC = "packed.writers";
  private static final List<String> HOSTS = List.of("a", "b");
  private static final String PLAIN = "packed-1h";
  private static final String PACKED = "packed-k-1h";
  private static final String COVERAGE = "packed-coverage";
  private static SystemStack stack;
  private static TsdServer tsd;
  private static Path directory;
  private static PackedCells cells;
  private static int runs;

  @BeforeAll
  static void start() throws Exception {
    stack = SystemStack.get();
    directory = SystemStack.directory("packed");
    Map<String, String> conf = stack.maskingConf("packed");
    String rollups =
        conf.get("tsd.rollups.config")
            .replace(
                "\"intervals\"",
                "\"suite\":{\"packed\":{\"1h\":\"" + PACKED + "\"}},\"intervals\"");
    conf.put("tsd.rollups.config", rollups);
    // A TSD that was killed is missed so long.
    conf.put("KafkaRpcPlugin.kafka.session.timeout.ms", "6000");
    cells = new PackedCells(stack.hbase(), RollupConfig.parse(rollups));
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      OpenTsdbTables.of(conf).coverage(COVERAGE).create(admin);
    }
    try (CoverageTable table = new CoverageTable(stack.hbase().connection(), COVERAGE)) {
      table.upgrade(CoverageRows.LEVEL_VERSION);
    }
    tsd = stack.startTsd("packed", conf);
    List<String> points = new ArrayList<>();
    for (long hour = FROM; hour < FROM + DAYS * DAY; hour += HOUR) {
      for (String host : HOSTS) {
        // Some hours are only those of messages.
        if (hour / HOUR % 24 < 16) {
          points.add(InputPoints.point(METRIC, host, hour + 60, hour / HOUR % 100));
        }
      }
    }
    send("points", points);
    drained("points");
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  private static void send(String topic, List<String> messages) {
    stack
        .topics()
        .send(
            messages.stream()
                .map(
                    message ->
                        new ProducerRecord<byte[], byte[]>(
                            "packed-" + topic, message.getBytes(UTF_8)))
                .toList());
  }

  private static void drained(String... topics) {
    for (String topic : topics) {
      String group = "packed-" + topic;
      Await.until(
          "group " + group, SystemStack.PATIENCE, () -> stack.topics().lag(group, group) == 0);
    }
  }

  /**
   * A rollup, or a deletion: of one asOf the same each time.
   *
   * @param hour since the start
   */
  private static String rollup(String host, int hour, long asOf) {
    Random random = new Random(Seed.VALUE ^ (host + hour + "/" + asOf).hashCode());
    double min = random.nextGaussian();
    String values =
        random.nextInt(4) == 0
            ? ""
            : "\"sum\":%s,\"min\":%s,\"max\":%s,\"count\":%d"
                .formatted(min * 60, min, min + random.nextDouble(), 1 + random.nextInt(60));
    return """
    {"type":"Rollup","v":1,"metric":"%s","tags":{"host":"%s"},"timestamp":%d,\
    "interval":"1h","asOf":%d,"values":{%s}}\
    """
        .formatted(METRIC, host, FROM + hour * HOUR, asOf, values);
  }

  private static String request(String host, int hour) {
    return """
    {"type":"RollupRequest","v":1,"metric":"%s","tags":{"host":"%s"},"timestamp":%d,\
    "intervals":["1h","1d"],"reason":"late"}\
    """
        .formatted(METRIC, host, FROM + hour * HOUR);
  }

  /** Sends messages and requests, again and again, until it is closed. */
  private static final class Messages implements AutoCloseable {
    private final Random random = Seed.random();
    private final long before;
    private final AtomicInteger rounds = new AtomicInteger();
    private final Thread thread = new Thread(this::run, "messages");
    private volatile boolean ended;
    private volatile Throwable failure;

    /**
     * @param before asOf of the newest, milliseconds since the epoch: none is that of a load or
     *     repair, since of two values with one asOf the tables keep different ones
     */
    Messages(long before) {
      this.before = before;
      thread.start();
    }

    private void run() {
      try {
        while (!ended) {
          List<String> rollups = new ArrayList<>();
          for (int i = 0; i < 40; i++) {
            rollups.add(message());
          }
          send("rollups", rollups);
          // Repairs are of the first hours of a day.
          send("requests", List.of(request(host(), 24 * random.nextInt(DAYS) + random.nextInt(8))));
          drained("rollups", "requests");
          int unused = rounds.incrementAndGet();
        }
      } catch (Throwable e) {
        failure = e;
      }
    }

    private String host() {
      return HOSTS.get(random.nextInt(HOSTS.size()));
    }

    private String message() {
      int hour = random.nextInt(24 * DAYS);
      long asOf = random.nextBoolean() ? before : (FROM + DAYS * DAY) * 1000 - 2 * HOUR * 1000;
      return rollup(host(), hour, asOf - random.nextInt(4));
    }

    void awaitRound() {
      int from = rounds.get();
      Await.until(
          "messages", SystemStack.PATIENCE, () -> failure != null || rounds.get() > from + 1);
      assertThat(failure).isNull();
    }

    @Override
    public void close() {
      ended = true;
      Await.until("the last messages", SystemStack.PATIENCE, () -> !thread.isAlive());
      assertThat(failure).isNull();
    }
  }

  private static List<String> arguments(String name, List<String> command) {
    List<String> all = new ArrayList<>(command);
    all.add("--tsd-config=" + tsd.configFile());
    all.add("--report=" + directory.resolve(name + ".json"));
    return all;
  }

  private static ExitCode run(String name, List<String> command) throws IOException {
    RollupJob.Run run =
        RollupJob.main(directory.resolve(name + ".json"), arguments(name, command), Map.of());
    assertThat(run.exitCode()).as(run.output()).isIn(ExitCode.DONE, ExitCode.BAD_INPUT);
    return run.exitCode();
  }

  /** Kills a command at a drawn moment after it has begun, if it has not ended. */
  private static void kill(
      Random random, String name, List<String> command, Callable<Boolean> hasBegun)
      throws Exception {
    Path output = directory.resolve(name + ".log");
    Process process = RollupJob.child(directory, output, arguments(name + "-killed", command));
    try {
      Await.until(
          name + " to begin", SystemStack.PATIENCE, () -> hasBegun.call() || !process.isAlive());
      boolean unused = process.waitFor(random.nextInt(1000), TimeUnit.MILLISECONDS);
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  private static boolean hasFiles(Path in, String name) throws IOException {
    if (!Files.isDirectory(in)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(in)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(name));
    }
  }

  /** Rolls up all points into HFiles; returns their directory. */
  private static Path hfiles() throws IOException {
    String name = "packed-run-" + ++runs;
    stack.hbase().snapshot("packed-data", name);
    Path files = directory.resolve(name);
    ExitCode exitCode =
        run(
            name,
            List.of(
                "--data-snapshot=" + name,
                "--snapshot-root=" + stack.hbase().rootDir(),
                "--interval=1h",
                "--from=" + Instant.ofEpochSecond(FROM),
                "--to=" + Instant.ofEpochSecond(FROM + DAYS * DAY),
                "--sink=hfile",
                "--hfile-dir=" + files.toUri()));
    assertThat(exitCode).isEqualTo(ExitCode.DONE);
    try (Stream<Path> run = Files.list(files)) {
      return run.findFirst().orElseThrow();
    }
  }

  private static List<String> load(Path files) {
    return List.of("load", "--hfile-dir=" + files.toUri(), "--coverage-table=" + COVERAGE);
  }

  /** Takes the snapshots. */
  private static List<String> pack() throws IOException {
    String name = "packed-pack-" + ++runs;
    stack.hbase().snapshot(PACKED, name + "-k");
    stack.hbase().snapshot(PLAIN, name + "-p");
    return List.of(
        "pack",
        "--snapshot-root=" + stack.hbase().rootDir(),
        "--packed-snapshot=" + name + "-k",
        "--plain-snapshot=" + name + "-p",
        "--from=" + FROM,
        "--to=" + (FROM + DAYS * DAY),
        "--hfile-dir=" + packFiles().toUri(),
        "--coverage-table=" + COVERAGE);
  }

  /** Of the last {@link #pack}: a killed run leaves its files. */
  private static Path packFiles() {
    return directory.resolve("packed-pack-" + runs);
  }

  private static void requireEqual() throws IOException {
    Map<String, Long> plain = new TreeMap<>(cells.plain("1h"));
    assertThat(plain).isNotEmpty();
    assertThat(cells.packed("1h")).as(Seed.describe()).isEqualTo(plain);
  }

  @Test
  void loadsMessagesRepairsAndPackAtOnce() throws Exception {
    Random random = Seed.random();
    for (int round = 0; round < ROUNDS; round++) {
      boolean packsWithoutTsd = round % 2 == 0;
      try (Messages messages = new Messages(System.currentTimeMillis())) {
        messages.awaitRound();
        Path files = hfiles();
        kill(random, "load", load(files), () -> hasFiles(files, "_loading"));
        if (packsWithoutTsd) {
          tsd.kill();
        }
        assertThat(run("load", load(files))).isEqualTo(ExitCode.DONE);
        List<String> pack = pack();
        Path written = packFiles();
        kill(random, "pack", pack, () -> hasFiles(written, "v1_"));
        if (!packsWithoutTsd) {
          tsd.kill();
        }
        // A deletion between the snapshots leaves something undecided.
        run("pack", pack);
        tsd.start();
        messages.awaitRound();
      }
      requireEqual();
    }
    assertThat(run("pack", pack())).isEqualTo(ExitCode.DONE);
    requireEqual();
  }

  @Test
  void anOlderMessageAfterPack() throws Exception {
    long asOf = (FROM + DAY) * 1000;
    List<String> first = new ArrayList<>();
    List<String> late = new ArrayList<>();
    for (int hour = 0; hour < 24 * DAYS; hour++) {
      late.add(rollup("late", hour, asOf - 1 - hour % 3));
      if (hour % 2 == 0) {
        // Six parts of a row, some of them deletions: pack makes one of them.
        first.add(rollup("late", hour, asOf + hour / 2 % 6));
      }
    }
    send("rollups", first);
    drained("rollups");
    requireEqual();
    Map<String, Long> before = cells.plain("1h");
    assertThat(run("pack-late", pack())).isEqualTo(ExitCode.DONE);
    assertThat(cells.packed("1h")).isEqualTo(before);
    send("rollups", late);
    drained("rollups");
    assertThat(cells.plain("1h")).hasSizeGreaterThan(before.size()).containsAllEntriesOf(before);
    requireEqual();
    assertThat(run("pack-late", pack())).isEqualTo(ExitCode.DONE);
    requireEqual();
  }
}
