package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.report.RunProof;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whether a manifest is of the TSDs and the cluster of a load. */
class LoadCheckTest {
  private static final RollupConfig ROLLUPS =
      RollupConfig.parse(
          "{\"aggregationIds\":{\"sum\":0,\"count\":1,\"min\":2,\"max\":3},\"intervals\":["
              + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\","
              + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
              + "{\"table\":\"r\",\"preAggregationTable\":\"p\",\"interval\":\"1h\","
              + "\"rowSpan\":\"1d\",\"defaultInterval\":false}]}");

  private static final String INTERVALS =
      "{'aggregationIds':{'sum':0,'count':1,'min':2,'max':3,'p99':4,'first':5},'intervals':["
          + "{'table':'tsdb','preAggregationTable':'tsdb','interval':'1m','rowSpan':'1h',"
          + "'defaultInterval':true},{'table':'r-1h','preAggregationTable':'a',"
          + "'interval':'1h','rowSpan':'1d'},{'table':'r-1d','preAggregationTable':'a',"
          + "'interval':'1d','rowSpan':'1y'}]%s}";

  /** The problems of a run with the defaults of a TSD. */
  private static List<String> problems(Manifest.Table table, Map<String, String> tsd) {
    Map<String, String> options = new TreeMap<>();
    StorageSchema.defaults().rowKeys().forEach((key, value) -> options.put("--" + key, value));
    StringBuilder config = new StringBuilder();
    tsd.forEach((key, value) -> config.append(key).append('=').append(value).append('\n'));
    return LoadCheck.problems(
        new Manifest(1, "run", "rollup-job 1", "id", 1, options, Map.of(), List.of(table), null),
        StorageSchema.from(TsdConfig.parse(config.toString())),
        ROLLUPS,
        HistogramCodecs.NONE);
  }

  private static Manifest.Table table(String name, String rowSpan, Map<String, Integer> ids) {
    return new Manifest.Table(name, "1h", rowSpan, ids, List.of(), List.of());
  }

  @Test
  void eachKeyThatDecidesWhatRowsMeanMustBeThatOfTheRun() {
    Map<String, String> others = new TreeMap<>();
    StorageSchema.defaults()
        .rowKeys()
        .forEach(
            (key, value) ->
                others.put(
                    key,
                    switch (value) {
                      case "true" -> "false";
                      case "false" -> "true";
                      case "tsdb-uid" -> "copy";
                      default -> Integer.toString(Integer.parseInt(value) + 1);
                    }));
    assertThat(others).hasSize(9);
    assertThat(problems(table("r", "1d", Map.of("sum", 0)), others))
        .containsExactly(
            "tsd.storage.fix_duplicates must be as it was in the run, false, found true",
            "tsd.storage.salt.buckets must be as it was in the run, 20, found 21",
            "tsd.storage.salt.width must be as it was in the run, 0, found 1",
            "tsd.storage.uid.width.metric must be as it was in the run, 3, found 4",
            "tsd.storage.uid.width.tagk must be as it was in the run, 3, found 4",
            "tsd.storage.uid.width.tagv must be as it was in the run, 3, found 4",
            "tsd.storage.use_max_value must be as it was in the run, true, found false",
            "tsd.storage.use_otsdb_timestamp must be as it was in the run, false, found true");
  }

  /** For runs that read names from a copy of the UID table. */
  @Test
  void anotherUidTableIsNoOtherRule() {
    assertThat(
            problems(
                table("r", "1d", Map.of("sum", 0)), Map.of("tsd.storage.hbase.uid_table", "copy")))
        .isEmpty();
  }

  @Test
  void tablesAndAggregatorsMustBeThoseOfTheRun() {
    assertThat(problems(table("s", "1n", Map.of("sum", 7, "avg", 1)), Map.of()))
        .containsExactlyInAnyOrder(
            "rollup configuration, interval 1h: table must be s, found r",
            "rollup configuration, interval 1h: rowSpan must be 1n, found 1d",
            "rollup configuration: aggregationIds must have sum as 7, found 0",
            "rollup configuration: aggregationIds must have avg as 1, found nothing");
  }

  /** Also beside tables that rollup_config.json does not name. */
  @Test
  void aPackedTableStoresNothingElse() {
    for (String name : List.of("x", "default:x", "ns:tsdb")) {
      assertThat(packed(name)).as(name).isEmpty();
    }
    assertThat(packed("default:r", "tsdb-uid", "cov", "default:tsdb"))
        .containsExactly(
            "table default:r of 1h.packed must store nothing else, found it as the table of 1h",
            "table tsdb-uid of 1h.packed must store nothing else, found it as the table of UIDs",
            "table cov of 1h.packed must store nothing else, found it as the table of the coverage",
            "table default:tsdb of 1h.packed must store nothing else, found it as the table of 1m");
  }

  private static List<String> packed(String... names) {
    List<Manifest.Table> tables =
        Stream.of(names)
            .map(
                name -> new Manifest.Table(name, "1h.packed", "1d", Map.of(), List.of(), List.of()))
            .toList();
    return LoadCheck.packed(
        new Manifest(4, "run", "rollup-job 1", "id", 1, Map.of(), Map.of(), tables, null),
        ROLLUPS,
        StorageSchema.defaults(),
        "cov");
  }

  /** Histograms of 1h, with or without values. */
  static RollupConfig histograms(String metrics, String... entries) {
    String values = String.join(",", entries);
    return RollupConfig.parse(
        INTERVALS
            .formatted(
                ",'suite':{%s'histograms':[{'metrics':'%s','intervals':'1h'}],'histogramTables':{'1h':'h-1h'}}"
                    .formatted(values.isEmpty() ? "" : "'values':[" + values + "],", metrics))
            .replace('\'', '"'));
  }

  @Test
  void codecsAndTablesOfHistogramsMustBeThoseOfTheRun() throws IOException {
    Map<String, String> options = new TreeMap<>();
    StorageSchema.defaults().rowKeys().forEach((key, value) -> options.put("--" + key, value));
    RollupConfig rollups = histograms("*");
    options.put("suite", rollups.suite().text());
    Manifest.Table table =
        new Manifest.Table(
            "h", "1h.histogram", "1h", Map.of("a.A", 42, "b.B", 43), List.of(), List.of());
    Manifest manifest =
        new Manifest(3, "run", "rollup-job 1", "id", 1, options, Map.of(), List.of(table), null);
    HistogramCodecs codecs = HistogramCodecs.load("{\"a.A\":42,\"b.B\":44}");
    assertThat(LoadCheck.problems(manifest, StorageSchema.defaults(), rollups, codecs))
        .containsExactlyInAnyOrder(
            "rollup configuration, interval 1h.histogram: table must be h, found h-1h",
            "tsd.core.histograms.config must have b.B as it was in the run, 43, found {a.A=42,"
                + " b.B=44}");
  }

  /** An entry of {@code suite.values}. */
  static String entry(String metrics, String intervals, String aggregators) {
    return "{'metrics':'%s','intervals':'%s','aggregators':'%s'}"
        .formatted(metrics, intervals, aggregators);
  }

  /** A configuration with such entries; without {@code suite} if there are none. */
  static RollupConfig config(String... entries) {
    String values = String.join(",", entries);
    return RollupConfig.parse(
        INTERVALS
            .formatted(values.isEmpty() ? "" : ",'suite':{'values':[" + values + "]}")
            .replace('\'', '"'));
  }

  private static List<String> suites(String ofRun, String found) {
    Map<String, String> options = new TreeMap<>();
    StorageSchema.defaults().rowKeys().forEach((key, value) -> options.put("--" + key, value));
    if (!ofRun.isEmpty()) {
      options.put("suite", config(ofRun).suite().text());
    }
    Manifest manifest =
        new Manifest(1, "run", "rollup-job 1", "id", 1, options, Map.of(), List.of(), null);
    return LoadCheck.problems(
        manifest, StorageSchema.defaults(), config(found), HistogramCodecs.NONE);
  }

  @Test
  void theSuiteMustBeThatOfTheRun() {
    String p99 = entry("*.latency", "1h", "p99");
    String first = entry("*.latency", "1h", "p99,first");
    assertThat(suites(p99, p99)).isEmpty();
    assertThat(suites(p99, first))
        .containsExactly(
            "rollup configuration: suite must be as it was in the run,"
                + " {\"values\":[{\"metrics\":\"*.latency\",\"intervals\":\"1h\","
                + "\"aggregators\":\"p99\"}]}, found"
                + " {\"values\":[{\"metrics\":\"*.latency\",\"intervals\":\"1h\","
                + "\"aggregators\":\"p99,first\"}]}");
    assertThat(suites(p99, "")).hasSize(1).allMatch(text -> text.endsWith("found nothing"));
    assertThat(suites("", p99)).as("of sum, min, max and count alone").isEmpty();
  }

  /** Two clusters with one configuration: the UIDs of one are other series in the other. */
  @Test
  void theClusterOfTheRunMayLoadIt() {
    assertThat(LoadCheck.cluster("a", "", "a")).isEmpty();
    assertThat(LoadCheck.cluster("a", "a", "a")).isEmpty();
  }

  @Test
  void anotherClusterMayNot() {
    assertThat(LoadCheck.cluster("a", "", "b"))
        .containsExactly(
            "the HBase cluster must be the one for whose tables the run was made, a, found b");
  }

  private static final long FLOOR = Instant.parse("2025-11-10T00:00:00Z").getEpochSecond();

  private static List<String> floors(RunProof proof, boolean changed, String from) {
    Map<String, String> options = new TreeMap<>(Map.of("--from", from, "--metrics", "app.*"));
    if (changed) {
      options.put("--changed-since", "2025-11-19T00:00:00Z");
    }
    return LoadCheck.floors(
        new Manifest(1, "run", "rollup-job 1", "id", 1, options, Map.of(), List.of(), proof),
        "coverage",
        new RawFloors(
            true,
            List.of(
                new RawFloors.Floor("app.a", FLOOR), new RawFloors.Floor("web", FLOOR + 86400))));
  }

  private static RunProof proof(String first, RawFloors.Floor... floors) {
    return new RunProof(Instant.EPOCH, List.of(), List.of(), List.of())
        .above(new RawFloors(true, List.of(floors)), Instant.parse(first));
  }

  @Test
  void rollupsBelowAFloorThatTheRunHasNotKnownAreRefused() {
    String refused =
        "the run may have rollups of metrics app.a from %s on, but raw data of these before"
            + " 2025-11-10T00:00:00Z may be gone, by a floor of table coverage, and the stored"
            + " rollups be the only data: run it again with --coverage-table";
    String below = "2025-11-09T23:00:00Z";
    String above = "2025-11-10T00:00:00Z";
    assertThat(floors(null, false, below)).containsExactly(refused.formatted(below));
    assertThat(floors(null, false, above)).isEmpty();
    // Of an earlier version, which does not tell its first changed row.
    assertThat(floors(null, true, above))
        .containsExactly(refused.formatted("1970-01-01T00:00:00Z"));
    assertThat(floors(proof(below), true, "2025-11-19T00:00:00Z"))
        .containsExactly(refused.formatted(below));
    assertThat(floors(proof(above), true, "2025-11-19T00:00:00Z")).isEmpty();
  }

  @Test
  void aRunThatHasKnownTheFloorIsLoaded() {
    String below = "2025-11-01T00:00:00Z";
    assertThat(floors(proof(below, new RawFloors.Floor("app.a", FLOOR)), true, below)).isEmpty();
    assertThat(floors(proof(below, new RawFloors.Floor("app.a", FLOOR + 86400)), true, below))
        .isEmpty();
    assertThat(floors(proof(below, new RawFloors.Floor("app.a", FLOOR - 86400)), true, below))
        .hasSize(1);
    assertThat(floors(proof(below, new RawFloors.Floor("*", FLOOR)), true, below)).hasSize(1);
  }

  /** With --target-snapshot the run does not know its cluster; the first load decides. */
  @Test
  void aLoadThatHasBegunMustEndInTheSame() {
    assertThat(LoadCheck.cluster(null, "", "b")).isEmpty();
    assertThat(LoadCheck.cluster(null, "a", "b"))
        .containsExactly(
            "the HBase cluster must be the one that a load of this run has begun to load it into,"
                + " a, found b");
  }
}
