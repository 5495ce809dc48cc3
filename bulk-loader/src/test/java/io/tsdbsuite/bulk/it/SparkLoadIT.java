package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.SparkHome;
import io.tsdbsuite.testkit.TableDigest;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code spark-load} under a real spark-submit, against the checks of the other modes. */
class SparkLoadIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MASTER = "local[2]";

  /** A million with {@code -Dbulk.points=1000000}. */
  private static final int POINTS = Integer.getInteger("bulk.points", 20_000);

  private static final long SEED = Seed.VALUE;

  /** Salted rows, a region for each bucket. */
  private static final List<byte[]> SPLITS =
      List.of(new byte[] {1}, new byte[] {2}, new byte[] {3});

  private static Map<String, String> salted(String test) {
    return LoaderStack.conf(test, "tsd.storage.salt.width", "1", "tsd.storage.salt.buckets", "4");
  }

  private static SparkSubmit.Outcome submit(
      Path dir, Path config, List<String> files, String... more) throws Exception {
    return SparkSubmit.start(dir, MASTER, arguments(dir, config, files, more)).await();
  }

  /** Without a spark-submit, which takes ten seconds: for what the class path does not decide. */
  private static Loader.Outcome inThisJvm(
      Clock clock, Path dir, Path config, List<String> files, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("spark-load"));
    arguments.addAll(arguments(dir, config, files, more));
    Map<String, String> spark =
        Map.of(
            "spark.master", MASTER,
            "spark.ui.enabled", "false",
            "spark.local.dir", Files.createDirectories(dir.resolve("local")).toString(),
            "spark.driver.bindAddress", "127.0.0.1",
            "spark.driver.host", "127.0.0.1");
    spark.forEach(System::setProperty);
    try {
      return Loader.run(clock, arguments.toArray(String[]::new));
    } finally {
      spark.keySet().forEach(System::clearProperty);
    }
  }

  private static Loader.Outcome inThisJvm(Path dir, Path config, List<String> files, String... more)
      throws IOException {
    return inThisJvm(Clock.systemUTC(), dir, config, files, more);
  }

  static List<String> arguments(Path dir, Path config, List<String> files, String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--tsd-config=" + config);
    arguments.add("--hfile-dir=" + LoaderStack.hfileDir(dir.resolve("spark")));
    arguments.add("--report=" + dir.resolve("report.json"));
    arguments.addAll(List.of(more));
    arguments.add("--input");
    arguments.addAll(files);
    return arguments;
  }

  private static JsonNode report(Path dir) throws IOException {
    return JSON.readTree(dir.resolve("report.json").toFile());
  }

  private static void gzip(Path file) throws IOException {
    byte[] text = Files.readAllBytes(file);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text);
    }
  }

  @Test
  void likeATsd() throws Exception {
    String test = "spark-equal";
    RandomPoints points = new RandomPoints(test, POINTS, SEED);
    TsdServer stored = LoaderStack.tsd(test + "-a", salted(test + "-a"), SPLITS);
    stored.client().put(points.points());
    Map<String, String> conf = salted(test + "-b");
    TsdServer loaded = LoaderStack.tsd(test + "-b", conf, SPLITS);
    Path dir = WorkDirs.fresh(test);
    List<String> files = points.write(dir, 3);
    gzip(Path.of(files.get(1)));

    SparkSubmit.Outcome outcome =
        submit(dir, loaded.configFile(), files, "--unit-size=100k", "--reject-dir=" + dir);
    assertThat(outcome.code()).as(outcome.log()).isZero();
    assertThat(outcome.log()).contains("books            close").contains("spark-load");
    JsonNode counts = report(dir).path("counts");
    assertThat(counts.path("pointsWritten").asLong()).isEqualTo(POINTS);
    assertThat(counts.path("duplicatesIdentical").asLong()).isEqualTo(points.duplicates());
    assertThat(report(dir).path("uidsAssigned").path("metrics").asLong()).isEqualTo(3);
    ReportedPoints.check(dir.resolve("report.json"), points.metrics());
    for (String metric : points.metrics()) {
      QuerySpec all = QuerySpec.of(metric, RandomPoints.START, Answers.end());
      for (QuerySpec query : List.of(all, all.downsample("1h-count"), all.downsample("10m-sum"))) {
        assertThat(Answers.of(loaded, query))
            .as(query.toString())
            .isNotEmpty()
            .isEqualTo(Answers.of(stored, query));
      }
    }
    String table = conf.get("tsd.storage.hbase.data_table");
    assertThat(LoaderStack.storeFiles(table)).containsExactly(1, 1, 1, 1);
    assertNothingLeft(dir);

    TableDigest before = LoaderStack.hbase().digest(table);
    Loader.Outcome again = inThisJvm(dir, loaded.configFile(), files);
    assertThat(again.code()).as(again.log()).isEqualTo(ExitCode.DONE);
    assertThat(report(dir).path("counts").path("alreadyStored").asLong()).isEqualTo(POINTS);
    assertThat(LoaderStack.hbase().digest(table)).isEqualTo(before);
    for (String wrong : List.of("salt.width=0", "salt.buckets=2", "uid.width.metric=4")) {
      Loader.Outcome refused = inThisJvm(dir, loaded.configFile(), files, "--tsd.storage." + wrong);
      assertThat(refused.code()).as(refused.log()).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains("of table 'spark-equal-b-tsdb'");
    }
    assertThat(LoaderStack.hbase().digest(table)).isEqualTo(before);
    EqualityIT.goesOn(loaded, conf, points.metrics().get(0));
  }

  /** Of another Scala. {@code make test-all} runs it too: that Spark has 400 MB. */
  @Test
  @Tag("slow")
  void anotherSparkIsRefused() throws Exception {
    String other = System.getProperty("spark.other.version");
    TsdServer tsd = LoaderStack.tsd("spark-other", salted("spark-other"), SPLITS);
    Path dir = WorkDirs.fresh("spark-other");
    Path file = Files.writeString(dir.resolve("in.txt"), "other.m 1600003200 1 host=h0\n");
    SparkSubmit.Outcome outcome =
        SparkSubmit.start(
                SparkHome.get(other),
                dir,
                MASTER,
                Map.of(),
                arguments(dir, tsd.configFile(), List.of(file.toString())))
            .await();
    assertThat(outcome.code()).as(outcome.log()).isEqualTo(2);
    assertThat(outcome.log())
        .contains("bulk-loader: the jar is built for Spark ", "found Spark " + other)
        .doesNotContain("\tat ");
  }

  /**
   * A TSD writes between the look at a region and the bulk load: a value for an instant of the load
   * and a point between its points. In this JVM, since the clock says when it is time.
   */
  @Test
  void whatATsdWritesWhileHFilesAreMadeIsMerged() throws Exception {
    String test = "spark-late";
    Map<String, String> conf = salted(test);
    conf.put("tsd.storage.fix_duplicates", "false");
    TsdServer tsd = LoaderStack.tsd(test, conf, SPLITS);
    Path dir = WorkDirs.fresh(test);
    long base = 1_600_003_200L;
    int series = 20;
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < series; i++) {
      lines.append(String.format("late.m %d 1 host=h%d%n", base, i));
      lines.append(String.format("late.m %d 2.5 host=h%d%n", base + 60, i));
    }
    Path file = Files.writeString(dir.resolve("in.txt"), lines);
    Path hfiles = Path.of(URI.create(LoaderStack.hfileDir(dir.resolve("spark"))));
    Map<String, String> late = Map.of("host", "h3");
    StepClock clock =
        new StepClock(
            () -> isFinished(hfiles),
            0,
            () ->
                tsd.client()
                    .put(
                        List.of(
                            new DataPoint("late.m", base, 7L, late),
                            new DataPoint("late.m", base + 30, 9L, late))));
    LoaderStack.createTable("spark-coverage", "c");
    Loader.Outcome loaded =
        inThisJvm(
            clock,
            dir,
            tsd.configFile(),
            List.of(file.toString()),
            "--on-conflict=first",
            "--coverage-table=spark-coverage");
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(clock.isDone()).isTrue();
    JsonNode report = report(dir);
    assertThat(report.path("booksClose").asBoolean()).as(report.toString()).isTrue();
    assertThat(report.path("counts").path("supersededByStored").asInt()).isEqualTo(1);
    assertThat(report.path("counts").path("pointsWritten").asInt()).isEqualTo(2 * series - 1);
    assertThat(report.path("counts").path("rowsWritten").asInt()).isEqualTo(series);
    assertThat(report.path("warnings").toString())
        .contains("other writers have written points")
        .contains("1 range");
    try (CoverageTable coverage =
        new CoverageTable(LoaderStack.hbase().connection(), "spark-coverage")) {
      assertThat(coverage.read(Map.of(), System.currentTimeMillis()).masks())
          .singleElement()
          .satisfies(
              mask -> {
                assertThat(mask.metric()).isEqualTo("late.m");
                assertThat(mask.from()).isEqualTo(base / 86_400 * 86_400);
                assertThat(mask.to()).isEqualTo((base / 86_400 + 1) * 86_400);
              });
    }
    Get mask = new Get(Bytes.toBytes(CoverageRows.maskRow(base / 86_400 * 86_400, "late.m")));
    try (Table coverage =
        LoaderStack.hbase().connection().getTable(TableName.valueOf("spark-coverage"))) {
      assertThat(coverage.get(mask.readAllVersions()).size()).as("before and after").isEqualTo(2);
    }
    Map<String, SortedMap<Long, Double>> answers =
        Answers.of(tsd, QuerySpec.of("late.m", base, base + 3600));
    assertThat(answers).hasSize(series);
    SortedMap<Long, Double> loadedOnly =
        new TreeMap<>(Map.of(base * 1000, 1.0, (base + 60) * 1000, 2.5));
    SortedMap<Long, Double> both =
        new TreeMap<>(Map.of(base * 1000, 7.0, (base + 30) * 1000, 9.0, (base + 60) * 1000, 2.5));
    answers.forEach(
        (tags, points) ->
            assertThat(points)
                .as(tags)
                .isEqualTo(tags.equals(late.toString()) ? both : loadedOnly));
    assertNothingLeft(dir);
  }

  private static boolean isFinished(Path hfiles) throws IOException {
    Path family = hfiles.resolve("t");
    if (!Files.exists(family)) {
      return false;
    }
    try (Stream<Path> files = Files.list(family)) {
      return files.findAny().isPresent();
    }
  }

  /** The same points through the local mode: one file in each region too. */
  @Test
  void oneFileInEachRegionInLocalMode() throws Exception {
    String test = "local-regions";
    RandomPoints points = new RandomPoints(test, 2_000, SEED);
    Map<String, String> conf = salted(test);
    TsdServer tsd = LoaderStack.tsd(test, conf, SPLITS);
    Path dir = WorkDirs.fresh(test);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "load",
                "--tsd-config=" + tsd.configFile(),
                "--work-dir=" + dir.resolve("work"),
                "--progress=none",
                "--mode=hfile",
                "--hfile-dir=" + LoaderStack.hfileDir(dir.resolve("local")),
                "--input"));
    arguments.addAll(points.write(dir, 3));
    Loader.Outcome loaded = Loader.run(arguments.toArray(String[]::new));
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(LoaderStack.storeFiles(conf.get("tsd.storage.hbase.data_table")))
        .containsExactly(1, 1, 1, 1);
  }

  /**
   * Input in S3, on a stock Spark: with the S3A client of its own Hadoop, whose jars are in {@code
   * -Dspark.s3.jars=DIR} (hadoop-aws and aws-java-sdk-bundle, 280 MB); without it one message.
   */
  @Test
  void inputInS3() throws Exception {
    String test = "spark-s3";
    String jars = System.getProperty("spark.s3.jars");
    Map<String, String> conf = LoaderStack.conf(test);
    Path config = LoaderStack.configFile(test, conf);
    Path dir = WorkDirs.fresh(test);
    S3Server s3 = S3Server.start(dir.resolve("s3"));
    try {
      s3.createBucket("export");
      upload(s3, "s3.m 1600000000 1 host=a\n".repeat(3));
      Map<String, String> properties = new TreeMap<>();
      s3.readOnlyView()
          .s3aProperties()
          .forEach((key, value) -> properties.put("spark.hadoop." + key, value));
      if (jars != null) {
        properties.put("spark.driver.extraClassPath", jars + "/*");
        properties.put("spark.executor.extraClassPath", jars + "/*");
      }
      SparkSubmit.Outcome loaded =
          SparkSubmit.start(
                  dir,
                  jars == null ? MASTER : "local-cluster[1,1,1024]",
                  properties,
                  arguments(dir, config, List.of("s3a://export/in/*")))
              .await();
      int cells = LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.data_table")).size();
      // Stock Spark 3.5 has Hadoop 3.3.4; Spark 4.1 has Hadoop 3.4.2, as the jar.
      boolean fits = jars != null || !System.getProperty("spark.version").startsWith("3.");
      assertThat(loaded.code()).as(loaded.log()).isEqualTo(fits ? 0 : 2);
      assertThat(cells).isEqualTo(fits ? 1 : 0);
      if (!fits) {
        assertThat(loaded.log()).contains("hadoop-aws").doesNotContain("\tat ");
      }
    } finally {
      s3.stop();
    }
  }

  private static void upload(S3Server s3, String text) throws IOException {
    Configuration writer = new Configuration();
    s3.s3aProperties().forEach(writer::set);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("s3a://export/in/a.txt");
    try (FileSystem files = FileSystem.newInstance(file.toUri(), writer);
        OutputStream out = files.create(file)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Of several units. */
  @Test
  void pointsBelowAFloorStopTheLoadBeforeAnythingIsWritten() throws Exception {
    String test = "spark-floor";
    Map<String, String> conf = LoaderStack.conf(test);
    Path config = LoaderStack.configFile(test, conf);
    Path dir = WorkDirs.fresh(test);
    long before = 1_600_041_600L;
    List<String> files = new ArrayList<>();
    for (long time : new long[] {before - 30, before - 3601, before}) {
      Path file = dir.resolve(time + ".txt");
      String lines = "app.m %s 1 host=a\nweb.m %s 1 host=a\n".formatted(before - 7, time);
      files.add(Files.writeString(file, lines).toString());
    }
    LoaderStack.createTable("spark-floors", "c");
    try (CoverageTable coverage =
        new CoverageTable(LoaderStack.hbase().connection(), "spark-floors")) {
      coverage.upgrade();
      coverage.raise(
          new CoverageFloor("raw", "w", before, "web.*", "a proof", before * 1000),
          System.currentTimeMillis());
      Loader.Outcome stopped =
          inThisJvm(dir, config, files, "--coverage-table=spark-floors", "--unit-size=16m");
      assertThat(stopped.code()).as(stopped.log()).isEqualTo(ExitCode.USAGE);
      assertThat(stopped.log())
          .contains("points of metric web.m must not be before 2020-09-14T00:00:00Z")
          .contains("found 2 from the hour 2020-09-13T22:00:00Z on")
          .doesNotContain("metric app.m", "\tat ");
      assertThat(LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.data_table"))).isEmpty();
      assertThat(coverage.maskRows()).isZero();
    }
  }

  @Test
  void badLinesStopTheLoadBeforeAnythingIsWritten() throws Exception {
    String test = "spark-bad";
    Map<String, String> conf = LoaderStack.conf(test);
    Path config = LoaderStack.configFile(test, conf);
    Path dir = WorkDirs.fresh(test);
    Path good = Files.writeString(dir.resolve("good.txt"), "bad.m 1600000000 1 host=a\n");
    Path bad =
        Files.writeString(
            dir.resolve("bad.txt"),
            "bad.m 1600000060 1 host=a\nbad.m yesterday 1 host=a\n"
                + "bad.m 1600000120 NaN host=a\n");
    Loader.Outcome stopped = inThisJvm(dir, config, List.of(good.toString(), bad.toString()));
    assertThat(stopped.code()).as(stopped.log()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stopped.log())
        .contains("--max-rejected")
        .contains("bad.txt:2 badTimestamp")
        .contains("bad.txt:3 badValue")
        .contains("no point was written")
        .doesNotContain("\tat ");
    assertThat(LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.data_table"))).isEmpty();
    List<Path> left = left(dir);
    assertThat(left).singleElement().asString().endsWith("unit-00000.txt");
    assertThat(Files.readString(left.get(0)))
        .contains("badTimestamp")
        .contains("bad.m yesterday 1 host=a\n");
  }

  @Test
  void contradictionsBetweenUnitsStopTheLoad() throws Exception {
    String test = "spark-conflict";
    Map<String, String> conf = LoaderStack.conf(test);
    Path config = LoaderStack.configFile(test, conf);
    Path dir = WorkDirs.fresh(test);
    String padding = "# more than a unit\n".repeat(5_000);
    Path first = Files.writeString(dir.resolve("first.txt"), "c.m 1600000000 1 host=a\n" + padding);
    Path second =
        Files.writeString(dir.resolve("second.txt"), "c.m 1600000000 2 host=a\n" + padding);
    List<String> files = List.of(first.toString(), second.toString());
    Loader.Outcome stopped = inThisJvm(dir, config, files, "--on-conflict=fail", "--unit-size=96k");
    assertThat(stopped.code()).as(stopped.log()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stopped.log())
        .contains("--on-conflict")
        .contains("1600000000")
        .contains("c.m host=a")
        .contains("first.txt")
        .contains("second.txt")
        .doesNotContain("\tat ");
    assertThat(LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.data_table"))).isEmpty();
    assertNothingLeft(dir);
  }

  @Test
  void metaRowsAreThoseOfTheLocalModeAndUnknownNamesAreRejected() throws Exception {
    String test = "spark-meta";
    Map<String, String> conf = LoaderStack.conf(test);
    Path config = LoaderStack.configFile(test, conf);
    Path dir = WorkDirs.fresh(test);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      lines.append("meta.m ").append(1_600_000_000 + 60 * i).append(" 1 host=h").append(i % 7);
      lines.append('\n');
    }
    Path file = Files.writeString(dir.resolve("in.txt"), lines);
    Loader.Outcome loaded = inThisJvm(dir, config, List.of(file.toString()), "--meta");
    assertThat(loaded.code()).as(loaded.log()).isEqualTo(ExitCode.DONE);

    Map<String, String> local = LoaderStack.conf(test + "-local");
    local.put("tsd.storage.hbase.uid_table", test + "-uid");
    Path localConfig = LoaderStack.configFile(test + "-local", local);
    Loader.Outcome asLocal =
        Loader.run(
            "load",
            "--tsd-config=" + localConfig,
            "--work-dir=" + dir.resolve("work"),
            "--progress=none",
            "--meta",
            "--input",
            file.toString());
    assertThat(asLocal.code()).as(asLocal.err()).isEqualTo(ExitCode.DONE);
    assertThat(meta(conf)).hasSize(14).isEqualTo(meta(local));

    // A name that has the UID of another one: in executors, too, its points are of no series.
    try (Table uids = LoaderStack.hbase().connection().getTable(TableName.valueOf(test + "-uid"))) {
      byte[] tagv = UidKind.TAGV.qualifierBytes();
      byte[] uid = uids.get(new Get(Bytes.toBytes("h0"))).getValue(UidRow.idFamily(), tagv);
      uids.put(new Put(Bytes.toBytes("twin")).addColumn(UidRow.idFamily(), tagv, uid));
    }
    Path more =
        Files.writeString(
            dir.resolve("more.txt"),
            "meta.m 1600000030 1 host=h0\nmeta.m 1600000030 1 host=unknown\n"
                + "meta.m 1600000030 1 host=twin\n");
    Loader.Outcome refused = inThisJvm(dir, config, List.of(more.toString()), "--no-create");
    assertThat(refused.code()).as(refused.log()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.log()).contains("unknownName").contains("host=unknown");
    assertThat(refused.log()).contains("foreignUid", "tagv 'twin'", "found 'h0'");
  }

  /** Cells of tsdb-meta, without their time of creation. */
  private static Map<String, String> meta(Map<String, String> conf) throws IOException {
    Map<String, String> cells = new TreeMap<>();
    for (RawCell cell : LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.meta_table"))) {
      String value = HexFormat.of().formatHex(cell.value());
      if (cell.value()[0] == '{') {
        ObjectNode json = (ObjectNode) JSON.readTree(cell.value());
        json.remove("created");
        value = json.toString();
      }
      cells.put(
          HexFormat.of().formatHex(cell.row())
              + " "
              + new String(cell.qualifier(), StandardCharsets.ISO_8859_1),
          value);
    }
    return cells;
  }

  private static void assertNothingLeft(Path dir) throws IOException {
    assertThat(left(dir)).isEmpty();
    try (Stream<Path> files = Files.walk(dir.resolve("local"))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("bulk-load-")))
          .isEmpty();
    }
  }

  /** Files below the directory of HFiles. */
  private static List<Path> left(Path dir) throws IOException {
    Path hfiles = Path.of(URI.create(LoaderStack.hfileDir(dir.resolve("spark"))));
    if (!Files.exists(hfiles)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(hfiles)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().endsWith(".crc"))
          .toList();
    }
  }
}
