package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Every interval of a day from one pass, held against what a TSD answers from raw data; and a TSD
 * that has these rollups in its tables, held against the same.
 */
final class EveryInterval {
  static final List<String> ALL = List.of("1m", "10m", "1h", "6h", "1d");

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long DAY = 86400;
  private static final int BATCH = 1000;

  /** Metrics whose rollups have all of {@link #FURTHER} in all of {@link #SELECTED}. */
  private static final List<String> FURTHER_METRICS = List.of("t.day", "t.mixed", "t.size");

  private static final List<String> SELECTED = List.of("10m", "1h", "6h", "1d");

  private static final List<String> FURTHER =
      List.of("p50", "p75", "p90", "p95", "p99", "p999", "first", "last");

  private static final String IDS =
      "{'sum':0,'count':2,'min':3,'max':4,'p50':10,'p75':11,'p90':12,'p95':13,'p99':14,'p999':15,"
          + "'first':16,'last':17}";

  private static final String SUITE =
      "'suite':{'values':[{'metrics':'%s','intervals':'%s','aggregators':'%s'}]}"
          .formatted(
              String.join(",", FURTHER_METRICS),
              String.join(",", SELECTED),
              String.join(",", FURTHER))
          .replace('\'', '"');

  /** Metrics whose rollups have sketches in {@link #SKETCHED}. */
  private static final List<String> SKETCH_METRICS = List.of("t.mixed", "t.size");

  private static final List<String> SKETCHED = List.of("10m", "1h", "1d");

  private static final String CODECS = "--tsd.core.histograms.config=" + TsdServer.SKETCH_CONFIG;

  private final Map<String, String> conf;
  private final String tables;
  private final Path directory;
  private final Path rollupConfig;
  private final Map<String, SortedMap<RollupKey, RollupValues>> expected = new HashMap<>();

  /** Values of further aggregators by name, by interval and rollup. */
  private final Map<String, SortedMap<RollupKey, Map<String, Double>>> further = new HashMap<>();

  /** Histograms by series, interval and time. */
  private final Map<String, String> payloads = new TreeMap<>();

  /**
   * @param conf of the TSDs, with tables of their own
   * @param judge a TSD that answers from raw data
   * @param from the day's first second
   */
  EveryInterval(Map<String, String> conf, TsdServer judge, Collection<String> metrics, long from) {
    this.conf = conf;
    this.tables = conf.get("tsd.storage.hbase.data_table").replaceFirst("-data$", "");
    this.directory = TestFiles.directory(tables + "-intervals");
    this.rollupConfig = config(directory, conf, tables);
    TsdOracle oracle = new TsdOracle(judge.client());
    for (String interval : ALL) {
      SortedMap<RollupKey, RollupValues> answers = new TreeMap<>();
      for (String metric : metrics) {
        answers.putAll(oracle.rollups(metric, from, from + DAY, interval));
      }
      assertThat(answers).hasSizeGreaterThan(30);
      expected.put(interval, answers);
      further.put(interval, further(oracle, from, interval));
      assertThat(further.get(interval).isEmpty()).isNotEqualTo(SELECTED.contains(interval));
    }
  }

  private static Path config(Path directory, Map<String, String> conf, String tables) {
    String raw = conf.get("tsd.storage.hbase.data_table");
    try {
      return Files.writeString(
          directory.resolve("rollup_config.json"),
          RollupStore.config(raw, tables + "-rollup", IDS, ALL)
              .replaceFirst("}$", "," + SUITE + "}"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path rollupConfig() {
    return rollupConfig;
  }

  private boolean canHaveHistograms() {
    return !"true".equals(conf.get("tsd.storage.use_otsdb_timestamp"));
  }

  /** Options of a run with histograms, if TSDs can have them. */
  List<String> histogramOptions() throws IOException {
    return canHaveHistograms()
        ? List.of(histogramConfig(rollupConfig, tables), CODECS)
        : List.of("--rollup-config=" + rollupConfig);
  }

  private static String histogramConfig(Path plain, String tables) throws IOException {
    String histograms =
        "'suite':{'histograms':[{'metrics':'t.histogram,%s','intervals':'%s'}],"
                .formatted(String.join(",", SKETCH_METRICS), String.join(",", SKETCHED))
            + SKETCHED.stream()
                .map(each -> "'%s':'%s'".formatted(each, histogramTable(tables, each)))
                .collect(Collectors.joining(",", "'histogramTables':{", "},"));
    return "--rollup-config="
        + Files.writeString(
            plain.resolveSibling("histograms.json"),
            Files.readString(plain).replace("\"suite\":{", histograms.replace('\'', '"')));
  }

  private static String histogramTable(String tables, String interval) {
    return tables + "-histogram-" + interval;
  }

  /**
   * Sketches are those of all raw points, and histograms those that a TSD merges.
   *
   * @param run with {@link #histogramOptions}
   * @param judge a TSD that answers from raw data
   * @param from the day's first second
   */
  void checkHistograms(JobRun run, TsdClient judge, long from) throws IOException {
    if (!canHaveHistograms()) {
      return;
    }
    for (String line : run.lines()) {
      JsonNode rollup = MAPPER.readTree(line);
      JsonNode histogram = rollup.path("histogram");
      if (!histogram.isMissingNode()) {
        String codec = histogram.get("codec").textValue();
        String key = key(rollup);
        assertThat(codec)
            .isEqualTo(
                key.startsWith("t.histogram ") ? HistogramCodecs.SIMPLE : HistogramCodecs.SKETCH);
        assertThat(payloads.put(key, histogram.get("value").textValue())).isNull();
      }
    }
    Map<String, Sketch> sketches = new TreeMap<>();
    for (String metric : SKETCH_METRICS) {
      // The TSD adds a second to the end.
      for (Series series : judge.query(QuerySpec.of(metric, from, from + DAY - 2))) {
        series
            .points()
            .forEach(
                (millis, value) -> {
                  for (String interval : SKETCHED) {
                    long width = width(interval);
                    long start = millis / 1000 - Math.floorMod(millis / 1000, width);
                    sketches
                        .computeIfAbsent(
                            key(metric, new TreeMap<>(series.tags()), interval, start),
                            any -> new Sketch())
                        .add(value);
                  }
                });
      }
    }
    Map<String, String> expectedPayloads = new TreeMap<>();
    sketches.forEach((key, sketch) -> expectedPayloads.put(key, base64(sketch.bytes())));
    assertThat(expectedPayloads).hasSizeGreaterThan(30);
    JsonNode report = run.reportJson();
    boolean cells = report.at("/setAside/histograms").longValue() > 0;
    if (cells) {
      cells(expectedPayloads, judge, from);
    }
    assertThat(payloads).isEqualTo(expectedPayloads);
    for (String interval : SKETCHED) {
      assertThat(report.at("/rollupsByLevel/" + interval + ".histogram").longValue())
          .isEqualTo(
              payloads.keySet().stream().filter(key -> key.contains(" " + interval + " ")).count());
    }
    assertThat(report.at("/histograms/mixed").longValue()).isZero();
    assertThat(report.at("/histogramsAlone/1h").longValue()).isEqualTo(cells ? 2 : 0);
  }

  /** The sums of the histograms of {@code CorrectnessIT}, and percentiles that a TSD makes. */
  private static void cells(Map<String, String> payloads, TsdClient judge, long from) {
    TreeMap<String, String> tags = new TreeMap<>(Map.of("host", "only"));
    String first = base64(simple(0, 4, 20, 5));
    String second = base64(simple(10, 2));
    payloads.put(key("t.histogram", tags, "10m", from), first);
    payloads.put(key("t.histogram", tags, "1h", from), first);
    payloads.put(key("t.histogram", tags, "10m", from + 3600), second);
    payloads.put(key("t.histogram", tags, "1h", from + 3600), second);
    payloads.put(key("t.histogram", tags, "1d", from), base64(simple(0, 4, 10, 2, 20, 5)));
    ObjectNode query = MAPPER.createObjectNode().put("start", from).put("end", from + DAY - 2);
    query
        .putArray("queries")
        .addObject()
        .put("aggregator", "sum")
        .put("metric", "t.histogram")
        .put("downsample", "1d-sum")
        .putArray("percentiles")
        .add(30)
        .add(50)
        .add(90);
    Map<String, Double> answers = new TreeMap<>();
    for (JsonNode series : judge.post("api/query", query)) {
      series
          .get("dps")
          .forEach(value -> answers.put(series.get("metric").textValue(), value.doubleValue()));
    }
    // The middle of the bucket that has the value: 4 of 11 are in the first, 2 in the next.
    assertThat(answers)
        .isEqualTo(
            Map.of(
                "t.histogram_pct_30.0", 5.0,
                "t.histogram_pct_50.0", 15.0,
                "t.histogram_pct_90.0", 25.0));
  }

  /** A SimpleHistogram of buckets of width 10: their lower bounds and counts. */
  private static byte[] simple(int... buckets) {
    ByteBuffer bytes = ByteBuffer.allocate(2 + buckets.length / 2 * 9 + 2);
    bytes.putShort((short) (buckets.length / 2));
    for (int i = 0; i < buckets.length; i += 2) {
      bytes.putFloat(buckets[i]).putFloat(buckets[i] + 10).put((byte) buckets[i + 1]);
    }
    return bytes.array();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static long width(String interval) {
    return switch (interval) {
      case "10m" -> 600;
      case "1h" -> 3600;
      default -> DAY;
    };
  }

  private static String key(JsonNode rollup) {
    SortedMap<String, String> tags = new TreeMap<>();
    rollup.get("tags").properties().forEach(t -> tags.put(t.getKey(), t.getValue().asText()));
    return key(
        rollup.get("metric").textValue(),
        tags,
        rollup.get("interval").textValue(),
        rollup.get("timestamp").longValue());
  }

  private static String key(
      String metric, SortedMap<String, String> tags, String interval, long time) {
    return metric + " " + tags + " " + interval + " " + time;
  }

  /** The job's output is what the TSD answers, and is counted by interval. */
  void check(JobRun run) throws IOException {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    long all = 0;
    for (String interval : ALL) {
      SortedMap<RollupKey, RollupValues> answers = expected.get(interval);
      assertThat(RollupDiff.of(answers, run.rollups(interval))).as(interval).isEmpty();
      long alone = report.at("/histogramsAlone/" + interval).longValue();
      assertThat(report.at("/rollupsByInterval/" + interval).longValue())
          .isEqualTo(answers.size() + alone);
      SortedMap<RollupKey, Map<String, Double>> values = further.get(interval);
      assertThat(further(run.lines(), interval)).as(interval).isEqualTo(values);
      for (String name : FURTHER) {
        assertThat(report.at("/rollupsByLevel/" + interval + "." + name).longValue())
            .isEqualTo(values.size());
      }
      all += answers.size() + alone;
    }
    assertThat(report.get("rollups").longValue()).isEqualTo(all);
    long days = expected.get("1d").size() + report.at("/histogramsAlone/1d").longValue();
    assertThat(report.at("/days/read").longValue()).isEqualTo(days);
    assertThat(report.at("/days/emitted").longValue()).isEqualTo(days);
  }

  /** A TSD answers the same from the table of each interval. */
  void checkTiers(JobRun run, Collection<String> metrics, long from) throws Exception {
    Map<String, String> tiers = new HashMap<>(conf);
    tiers.put("tsd.rollups.enable", "true");
    tiers.put("tsd.rollups.config", rollupConfig.toString());
    TsdServer tsd = SharedStack.get().startTsd(tables + "-tiers", tiers);
    put(tsd.client(), run.lines());
    TsdOracle oracle = TsdOracle.ofStoredRollups(tsd.client());
    for (String interval : ALL) {
      SortedMap<RollupKey, RollupValues> answers = expected.get(interval);
      Await.until(
          "rollups of " + interval + " can be read",
          LONG,
          () -> answers(oracle, metrics, from, interval).keySet().equals(answers.keySet()));
      assertThat(RollupDiff.of(answers, answers(oracle, metrics, from, interval)))
          .as(interval)
          .isEmpty();
      checkFurther(oracle, from, interval);
    }
    tsd.stop();
  }

  /** So does one into whose tables HFiles of one run were loaded. */
  void checkHFiles(String dataSnapshot, String uidSnapshot, Collection<String> metrics, long from)
      throws Exception {
    Map<String, String> tiers = new HashMap<>(conf);
    tiers.put("tsd.rollups.enable", "true");
    Path work = TestFiles.directory(tables + "-hfiles");
    tiers.put("tsd.rollups.config", config(work, conf, tables + "-hfiles").toString());
    TsdServer tsd = SharedStack.get().startTsd(tables + "-hfiles", tiers);
    String[] histograms = {};
    if (canHaveHistograms()) {
      OpenTsdbTables created = OpenTsdbTables.of(conf);
      for (String interval : SKETCHED) {
        created.rollup(histogramTable(tables + "-hfiles", interval));
      }
      SharedStack.get().create(created);
      Path plain = work.resolve("rollup_config.json");
      histograms = new String[] {histogramConfig(plain, tables + "-hfiles"), CODECS};
    }
    JobRun run =
        new JobRun(work)
            .with(
                "--snapshot-root=" + SharedStack.get().hbase().rootDir(),
                "--data-snapshot=" + dataSnapshot,
                "--uid-snapshot=" + uidSnapshot,
                "--tsd-config=" + tsd.configFile(),
                "--interval=" + String.join(",", ALL),
                "--partition-size=0.03",
                "--sink=hfile",
                "--hfile-dir=" + work.resolve("hfiles").toUri())
            .with(SmallData.window(from, from + DAY))
            .with(histograms)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    LoadRun load = LoadRun.of(LoadRun.runDirectory(work), tsd.configFile(), histograms);
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    for (String interval : histograms.length == 0 ? List.<String>of() : SKETCHED) {
      assertThat(stored(histogramTable(tables + "-hfiles", interval)))
          .as(interval)
          .isEqualTo(emitted(interval));
    }
    TsdOracle oracle = TsdOracle.ofStoredRollups(tsd.client());
    for (String interval : ALL) {
      SortedMap<RollupKey, RollupValues> stored = new TreeMap<>();
      for (String metric : metrics) {
        stored.putAll(oracle.rollups(metric, from, from + DAY, interval));
      }
      assertThat(RollupDiff.of(expected.get(interval), stored)).as(interval).isEmpty();
      checkFurther(oracle, from, interval);
    }
    tsd.stop();
  }

  /** Time, id of the codec and bytes of the histograms of an interval, sorted. */
  private List<String> emitted(String interval) {
    return payloads.keySet().stream()
        .filter(key -> key.contains(" " + interval + " "))
        .map(
            key ->
                key.substring(key.lastIndexOf(' ') + 1)
                    + (key.startsWith("t.histogram ") ? " 42 " : " 43 ")
                    + payloads.get(key))
        .sorted()
        .toList();
  }

  /** The same of the cells of a table. */
  private List<String> stored(String table) throws IOException {
    RowKey keys = new RowKey(CorrectnessIT.schema(conf));
    return SharedStack.get().hbase().cells(table).stream()
        .filter(cell -> keys.check(cell.row(), 0, cell.row().length) == null)
        .map(
            cell -> {
              byte[] column = cell.qualifier();
              byte[] value = cell.value();
              assertThat(column).hasSize(3).startsWith(6);
              int offset = (column[1] & 0xff) << 8 | (column[2] & 0xff);
              return keys.baseTime(cell.row(), 0)
                  + offset
                  + " "
                  + value[0]
                  + " "
                  + base64(Arrays.copyOfRange(value, 1, value.length));
            })
        .sorted()
        .toList();
  }

  /** The cells of further aggregators are those of the metrics that were selected. */
  private void checkFurther(TsdOracle stored, long from, String interval) {
    assertThat(further(stored, from, interval)).as(interval).isEqualTo(further.get(interval));
    for (String name : FURTHER) {
      assertThat(stored.values("t.delete", from, from + DAY, interval, name)).isEmpty();
    }
  }

  private static SortedMap<RollupKey, Map<String, Double>> further(
      TsdOracle oracle, long from, String interval) {
    SortedMap<RollupKey, Map<String, Double>> answers = new TreeMap<>();
    for (String name : SELECTED.contains(interval) ? FURTHER : List.<String>of()) {
      for (String metric : FURTHER_METRICS) {
        oracle
            .values(metric, from, from + DAY, interval, name)
            .forEach((key, value) -> put(answers, key, name, value));
      }
    }
    return answers;
  }

  /** What JSON lines of an interval have beside the four values. */
  private static SortedMap<RollupKey, Map<String, Double>> further(
      List<String> lines, String interval) throws IOException {
    SortedMap<RollupKey, Map<String, Double>> found = new TreeMap<>();
    for (String line : lines) {
      JsonNode rollup = MAPPER.readTree(line);
      if (rollup.get("interval").textValue().equals(interval)) {
        SortedMap<String, String> tags = new TreeMap<>();
        rollup.get("tags").properties().forEach(t -> tags.put(t.getKey(), t.getValue().asText()));
        RollupKey key =
            new RollupKey(
                rollup.get("metric").textValue(), tags, rollup.get("timestamp").longValue());
        for (Map.Entry<String, JsonNode> value : rollup.get("values").properties()) {
          if (!List.of("sum", "min", "max", "count").contains(value.getKey())) {
            put(found, key, value.getKey(), value.getValue().doubleValue());
          }
        }
      }
    }
    return found;
  }

  /** The sign of a zero is not compared: which of several zeros is the median is chance. */
  private static void put(
      SortedMap<RollupKey, Map<String, Double>> all, RollupKey key, String name, double value) {
    Double before = all.computeIfAbsent(key, any -> new TreeMap<>()).put(name, value + 0.0);
    assertThat(before).as("%s of %s", name, key).isNull();
  }

  /**
   * What {@link #checkTiers} has stored is what raw data make.
   *
   * @param input of the job that made the rollups
   */
  void verify(String... input) throws IOException {
    List<String> snapshots = new ArrayList<>();
    for (String interval : ALL) {
      String table = tables + "-rollup-" + interval;
      SharedStack.get().hbase().snapshot(table, table + "-stored");
      snapshots.add(table + "-stored");
    }
    JobRun run =
        new JobRun(directory)
            .with("verify")
            .with(input)
            .with("--against-snapshot=" + String.join(",", snapshots))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode compared = run.reportJson().get("compared");
    for (String interval : ALL) {
      assertThat(compared.at("/byInterval/" + interval + "/equal").intValue())
          .isEqualTo(expected.get(interval).size());
    }
  }

  private static SortedMap<RollupKey, RollupValues> answers(
      TsdOracle oracle, Collection<String> metrics, long from, String interval) {
    SortedMap<RollupKey, RollupValues> answers = new TreeMap<>();
    for (String metric : metrics) {
      try {
        answers.putAll(oracle.rollups(metric, from, from + DAY, interval));
      } catch (IllegalStateException e) {
        // Not all aggregators can be read yet.
        return new TreeMap<>();
      }
    }
    return answers;
  }

  /** Stores rollups as the stock TSD does, each value on the width that it chooses. */
  static void put(TsdClient tsd, List<String> lines) throws IOException {
    List<ObjectNode> points = new ArrayList<>();
    for (String line : lines) {
      JsonNode rollup = MAPPER.readTree(line);
      for (Map.Entry<String, JsonNode> value : rollup.get("values").properties()) {
        ObjectNode point = MAPPER.createObjectNode();
        for (String field : List.of("metric", "timestamp", "interval", "tags")) {
          point.set(field, rollup.get(field));
        }
        point.put("aggregator", value.getKey());
        points.add(point.put("value", value.getValue().asText()));
      }
    }
    for (int from = 0; from < points.size(); from += BATCH) {
      ArrayNode body = MAPPER.createArrayNode();
      points.subList(from, Math.min(points.size(), from + BATCH)).forEach(body::add);
      JsonNode answer = tsd.post("api/rollup?details&sync", body);
      assertThat(answer.path("failed").asInt(-1)).as(answer::toString).isZero();
    }
  }
}
