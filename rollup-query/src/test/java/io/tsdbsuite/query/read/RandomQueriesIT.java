package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.stumbleupon.async.Deferred;
import com.stumbleupon.async.DeferredGroupException;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.query.coverage.CoverageSource;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.limit.InFlight;
import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.ProvenTimes;
import io.tsdbsuite.query.plan.QueryTimes;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryLimits;
import io.tsdbsuite.query.run.QueryThreads;
import io.tsdbsuite.query.shadow.BucketReader;
import io.tsdbsuite.query.shadow.SeriesValues;
import io.tsdbsuite.query.shadow.ShadowBucket;
import io.tsdbsuite.query.shadow.ShadowCheck;
import io.tsdbsuite.query.shadow.ShadowResult;
import io.tsdbsuite.query.shadow.ShadowSettings;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.opentsdb.core.DataPoint;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.SeekableView;
import net.opentsdb.core.SimpleHistogram;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.query.filter.TagVFilter;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.uid.NoSuchUniqueName;
import net.opentsdb.uid.UniqueId;
import net.opentsdb.uid.UniqueId.UniqueIdType;
import net.opentsdb.utils.Config;
import net.opentsdb.utils.DateTime;
import net.opentsdb.utils.JSON;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hbase.async.Bytes;
import org.hbase.async.GetRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random queries, others for each schema, over raw data and rollups are answered as OpenTSDB
 * answers them from raw data alone; also when raw data below a floor are gone, or they are refused.
 * {@code -Dquery.random=3000} sets the number of queries of each schema.
 */
class RandomQueriesIT {
  private static final int QUERIES = Integer.getInteger("query.random", 75);
  private static final long FROM = Instant.parse("2024-02-20T00:00:00Z").toEpochMilli();
  private static final long TO = Instant.parse("2024-04-10T00:00:00Z").toEpochMilli();

  private static final int QUERIES_BELOW_THE_FLOOR = Math.max(950, QUERIES);

  /** Raw data before it are deleted. */
  private static final long FLOOR = FROM + 30 * 86_400_000L;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final int MAX_QUERIES_OF_KINDS = 5000;

  /** A downsampler of a further aggregator. */
  private static final Pattern FURTHER = Pattern.compile("-(p\\d+|first|last)[-\"]");

  private static final String EIGHT_DAYS_OF_ROLLUPS =
      ("{'start':'"
              + (FROM + 86_400_000)
              + "','end':'"
              + (FROM + 9 * 86_400_000)
              + "','noAnnotations':true,'queries':"
              + "[{'aggregator':'sum','downsample':'1h-sum','metric':'m','filters':[]}]}")
          .replace('\'', '"');

  private static final String CODECS =
      "{\"io.tsdbsuite.histogram.SketchCodec\":"
          + StoredSeries.SKETCH_ID
          + ",\"net.opentsdb.core.SimpleHistogramDecoder\":1}";

  private static HBaseServer hbase;
  private static QueryThreads threads;

  @BeforeAll
  static void start() {
    hbase = HBaseServer.start(WorkDirs.fresh("random-queries"), Map.of());
    threads = new QueryThreads();
  }

  @AfterAll
  static void stop() {
    hbase.close();
  }

  @Test
  void unsalted() throws Exception {
    compare("plain", new Random(Seed.VALUE), Map.of());
  }

  @Test
  void saltedWithWideUids() throws Exception {
    compare(
        "salted",
        new Random(Seed.VALUE + 1),
        Map.of(
            "tsd.storage.salt.width", "1",
            "tsd.storage.salt.buckets", "5",
            "tsd.storage.uid.width.metric", "4",
            "tsd.storage.uid.width.tagk", "4",
            "tsd.storage.uid.width.tagv", "4"));
  }

  private static void compare(String prefix, Random random, Map<String, String> more)
      throws Exception {
    Map<String, String> conf = packed(prefix, conf(prefix, more));
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    StorageSchema schema = StorageSchema.from(tsdConfig(conf));
    RollupConfig rollups = RollupConfig.load(conf.get("tsd.rollups.config"));
    Map<String, TimeRanges> coverage = coverage(random, rollups);
    List<String> tsuids = store(random, tsdb, schema, rollups, coverage);

    ProvenTimes proven =
        (interval, width, metric) ->
            metric.equals("a") ? TimeRanges.none() : coverage.get(interval);
    RollupQueryRunner learning = runner(tsdb, proven);
    Set<String> found = new TreeSet<>();
    ShadowCheck check = checkOfAll(learning, found);
    RandomQueries queries = new RandomQueries(random, FROM, TO, tsuids);
    Map<String, Integer> reasons = new TreeMap<>();
    RollupQueryRunner plain = runner(tsdb, () -> proven, false);
    int differences = 0;
    int packed = 0;
    long ours = 0;
    long stocks = 0;
    for (int i = 0; i < QUERIES; i++) {
      String json = queries.next();
      QueryContext context =
          new QueryContext(QueryLimits.NONE, () -> System.nanoTime() / 1_000_000);
      long begin = System.nanoTime();
      // One that knows the series from the queries before reads raw data where they are few.
      RollupQueryRunner runner = i % 2 == 0 ? learning : runner(tsdb, proven);
      runner.checkBy(check);
      List<String> got = ours(tsdb, runner, json, context);
      ours += System.nanoTime() - begin;
      context.end();
      begin = System.nanoTime();
      List<String> expected = stock(tsdb, json);
      stocks += System.nanoTime() - begin;
      String note = context.notes().isEmpty() ? "failed" : context.notes().get(0);
      packed += note.contains(".packed:") ? 1 : 0;
      QueryContext off = context(0);
      List<String> gotOff = ours(tsdb, plain, json, off);
      assertThat(off.notes()).noneMatch(each -> each.contains("packed"));
      reasons.merge(note.matches("0: \\d.*") ? "rollups" : note, 1, Integer::sum);
      if (query(json).getNoAnnotations()) {
        // The serializer leaves them out.
        expected.removeIf(line -> line.startsWith("note "));
        got.removeIf(line -> line.startsWith("note "));
        gotOff.removeIf(line -> line.startsWith("note "));
      }
      String difference = Answers.difference(expected, got);
      if (difference == null) {
        difference = Answers.difference(expected, gotOff);
      }
      if (difference != null) {
        differences++;
        System.out.println(Seed.describe(i) + json + "\n  " + note + "\n  " + difference);
      }
    }
    System.out.printf(
        "%s: %d queries, %d packed, %d differences, %d ms, stock %d ms%n%s%n",
        prefix, QUERIES, packed, differences, ours / 1_000_000, stocks / 1_000_000, reasons);
    tsdb.shutdown().join();
    Map<String, Long> checks = new TreeMap<>();
    check.last().forEach(each -> checks.merge(outcome(each), 1L, Long::sum));
    assertThat(checks.keySet()).as(Seed.describe()).isSubsetOf("same", "no_raw_data");
    assertThat(checks.get("same")).isGreaterThan(3);
    assertThat(found).as("series of raw data").isNotEmpty();
    assertThat(differences).as(Seed.describe()).isZero();
    assertThat(reasons.get("rollups")).isGreaterThan(QUERIES / 4);
    assertThat(packed).as("queries of packed rows").isGreaterThan(QUERIES / 8);
  }

  /** Kinds of queries that are read from packed rows, by their JSON. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("none", ".*'aggregator':'none'.*"),
          Map.entry("rate", ".*'rate':true(?!,'rateOptions').*"),
          Map.entry("counter", ".*'rateOptions'.*"),
          Map.entry("calendar", ".*('downsample':'[^-]*c-|'useCalendar').*"),
          Map.entry("zone", ".*'timezone':'(?!UTC).*('downsample':'[^-]*c-|'useCalendar').*"),
          Map.entry("tsuids", ".*'tsuids'.*"),
          Map.entry("explicitTags", ".*'explicitTags':true.*"),
          Map.entry("filters of names", ".*'type':'(wildcard|regexp|iwildcard|not_literal_or)'.*"),
          Map.entry("percentile", ".*'downsample':'[^-]*-p\\d+.*"),
          Map.entry("first or last", ".*'downsample':'[^-]*-(first|last).*"),
          Map.entry("avg", ".*'downsample':'[^-]*-avg.*"),
          Map.entry("count", ".*'downsample':'[^-]*-count.*"),
          Map.entry("0all", ".*'downsample':'0all-.*"),
          Map.entry("fill", ".*'downsample':'[^-]*-[^-]*-(nan|null|zero)'.*"));

  /** Queries of each kind are read from packed rows: in one region, and after it was split. */
  @Test
  void eachKindOfQueryIsReadFromPackedRows() throws Exception {
    Random random = new Random(Seed.VALUE + 4);
    Map<String, String> conf = packed("kinds", conf("kinds", Map.of()));
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    StorageSchema schema = StorageSchema.from(tsdConfig(conf));
    RollupConfig rollups = RollupConfig.load(conf.get("tsd.rollups.config"));
    Map<String, TimeRanges> coverage = coverage(random, rollups);
    List<String> tsuids = store(random, tsdb, schema, rollups, coverage);
    ProvenTimes proven =
        (level, width, metric) -> metric.equals("a") ? TimeRanges.none() : coverage.get(level);
    RandomQueries queries = new RandomQueries(random, FROM, TO, tsuids);
    Map<String, Integer> found = new TreeMap<>();
    int drawn = 0;
    for (int split = 0; split < 2; split++) {
      for (String level : List.of("p1h", "p6h", "p1d")) {
        if (split > 0) {
          split(TableName.valueOf("kinds-" + level), uid(tsdb, "metric", "m"));
        }
      }
      int wanted = split + 1;
      int end = drawn + MAX_QUERIES_OF_KINDS;
      while (!KINDS.keySet().stream().allMatch(kind -> found.getOrDefault(kind, 0) >= wanted)) {
        assertThat(drawn).as(Seed.describe() + found).isLessThan(end);
        String json = queries.next();
        drawn++;
        QueryContext context = context(0);
        List<String> got = ours(tsdb, runner(tsdb, proven), json, context);
        if (context.notes().toString().contains(".packed:")) {
          String difference = difference(Asked.of(tsdb, json), got);
          assertThat(difference).as(Seed.describe() + json + context.notes()).isNull();
          List<String> plain = ours(tsdb, runner(tsdb, () -> proven, false), json, context(0));
          difference = difference(Asked.of(tsdb, json), plain);
          assertThat(difference).as(Seed.describe() + json).isNull();
          // Of two sub-queries one may be read from plain rows.
          if (context.notes().size() == 1) {
            String text = json.replace('"', '\'');
            KINDS.forEach(
                (kind, pattern) -> {
                  if (text.matches(pattern)) {
                    found.merge(kind, 1, Integer::sum);
                  }
                });
          }
        }
      }
    }
    System.out.println("kinds: " + drawn + " queries, " + found);
    tsdb.shutdown().join();
  }

  /** Splits the region of a table in the middle of its rows. */
  private static void split(TableName table, byte[] metric) throws Exception {
    byte[] middle = java.util.Arrays.copyOf(metric, metric.length + 4);
    Bytes.setInt(middle, (int) ((FROM + TO) / 2000), metric.length);
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.split(table, middle);
      Await.until("a split", PATIENCE, () -> admin.getRegions(table).size() == 2);
    }
  }

  /** Windows of each interval, and a floor of all metrics. */
  private record Floored(Map<String, TimeRanges> coverage, long floor) implements ProvenTimes {
    @Override
    public TimeRanges proven(String interval, long widthMillis, String metric) {
      return metric.equals("a") ? TimeRanges.none() : coverage.get(interval);
    }

    @Override
    public long rawFloor(String metric) {
      return floor;
    }
  }

  /** A query and its answer from all raw data. */
  private record Asked(String json, List<String> expected) {
    static Asked of(TSDB tsdb, String json) throws Exception {
      return new Asked(json, stock(tsdb, json));
    }
  }

  /**
   * After raw data below a floor were deleted, each query is answered as before, or refused; and
   * what a refusal advises is answered.
   */
  @Test
  void rawDataBelowTheFloorAreGone() throws Exception {
    Random random = new Random(Seed.VALUE + 2);
    Map<String, String> conf = packed("floor", conf("floor", Map.of()));
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    StorageSchema schema = StorageSchema.from(tsdConfig(conf));
    RollupConfig rollups = RollupConfig.load(conf.get("tsd.rollups.config"));
    Map<String, TimeRanges> coverage = coverage(random, rollups);
    List<String> tsuids = store(random, tsdb, schema, rollups, coverage);
    RollupQueryRunner obeys = runner(tsdb, new Floored(coverage, FLOOR));
    RandomQueries queries = new RandomQueries(random, FROM, TO, tsuids);
    List<Asked> asked = new ArrayList<>();
    List<Asked> advised = new ArrayList<>();
    for (int i = 0; i < QUERIES_BELOW_THE_FLOOR; i++) {
      Asked one = Asked.of(tsdb, queries.next());
      asked.add(one);
      String coarser = advised(one.json(), refusal(tsdb, obeys, one.json()));
      if (coarser != null) {
        advised.add(Asked.of(tsdb, coarser));
      }
    }
    deleteRawData(schema);

    ShadowCheck check = checkOfAll(obeys, new TreeSet<>());
    obeys.checkBy(check);
    Map<String, Integer> outcomes = new TreeMap<>();
    int differences = 0;
    for (int i = 0; i < asked.size(); i++) {
      Asked one = asked.get(i);
      // One that knows the series from the queries before reads raw data where they are few.
      RollupQueryRunner runner = i % 2 == 0 ? obeys : runner(tsdb, new Floored(coverage, FLOOR));
      QueryContext context = context(0);
      List<String> got = ours(tsdb, runner, one.json(), context);
      context.end();
      boolean below = readsBelowTheFloor(tsdb, one.json());
      for (String note : context.notes()) {
        if (below && note.contains(".packed:")) {
          outcomes.merge("packed below the floor", 1, Integer::sum);
        }
        Matcher further = FURTHER.matcher(one.json());
        if (note.matches(".*\\d[hd]\\.(p\\d+|first|last|packed):.*") && further.find()) {
          String kind = further.group(1).startsWith("p") ? "percentiles" : "first or last";
          outcomes.merge(kind, 1, Integer::sum);
        }
      }
      if (isRefused(context)) {
        outcomes.merge(below ? "refused" : "refused above the floor", 1, Integer::sum);
        continue;
      }
      String difference = difference(one, got);
      outcomes.merge(below ? "equal below the floor" : "equal", 1, Integer::sum);
      if (difference != null) {
        differences++;
        System.out.println(Seed.describe(i) + one.json() + "\n  " + difference);
      }
    }
    int wrongWithoutTheRule = 0;
    RollupQueryRunner ignores = runner(tsdb, new Floored(coverage, 0));
    for (Asked one : asked) {
      if (difference(one, ours(tsdb, ignores, one.json(), context(0))) != null) {
        wrongWithoutTheRule++;
      }
    }
    int wrongAdvice = 0;
    for (Asked one : advised) {
      String difference = difference(one, ours(tsdb, obeys, one.json(), context(0)));
      if (difference != null) {
        wrongAdvice++;
        System.out.println(Seed.describe() + "advised " + one.json() + "\n  " + difference);
      }
    }
    int widened = widened(tsdb, obeys, asked);
    System.out.printf(
        "floor: %s, %d differences; %d without the rule; %d advised; %d widened%n",
        outcomes, differences, wrongWithoutTheRule, advised.size(), widened);
    tsdb.shutdown().join();
    assertThat(differences).as(Seed.describe()).isZero();
    assertThat(wrongAdvice).as(Seed.describe()).isZero();
    assertThat(outcomes).doesNotContainKey("refused above the floor");
    assertThat(outcomes.get("equal")).isGreaterThan(100);
    assertThat(outcomes.get("equal below the floor")).isGreaterThan(50);
    assertThat(outcomes.get("refused")).isGreaterThan(100);
    assertThat(outcomes.get("packed below the floor")).isGreaterThan(20);
    assertThat(outcomes.get("percentiles")).as("notes of levels").isPositive();
    assertThat(outcomes.get("first or last")).as("notes of levels").isGreaterThan(10);
    assertThat(wrongWithoutTheRule).isGreaterThan(100);
    assertThat(advised.size()).isGreaterThan(50);
    assertThat(widened).isGreaterThan(30);
    Set<String> checks = new TreeSet<>();
    check.last().forEach(each -> checks.add(outcome(each)));
    assertThat(checks).as(Seed.describe()).isSubsetOf("same", "no_raw_data").contains("same");
  }

  /**
   * A query that may be widened is answered like the one that asks for the downsamplers of its
   * notes; the others are answered or refused as ever.
   *
   * @return how many were widened
   */
  private static int widened(TSDB tsdb, RollupQueryRunner runner, List<Asked> asked)
      throws Exception {
    int widened = 0;
    for (Asked one : asked) {
      QueryContext coarse = context(0);
      coarse.widen();
      List<String> got = ours(tsdb, runner, one.json(), coarse);
      JsonNode query = new ObjectMapper().readTree(one.json());
      boolean any = false;
      for (String note : coarse.notes()) {
        Matcher used = Pattern.compile("(\\d+): downsampled by ([^ ;]+).*").matcher(note);
        if (used.matches()) {
          int index = Integer.parseInt(used.group(1));
          ObjectNode sub = (ObjectNode) query.get("queries").get(index);
          assertOfTheSameFunction(sub.path("downsample").asText(), used.group(2));
          sub.put("downsample", used.group(2));
          any = true;
        }
      }
      QueryContext direct = context(0);
      List<String> expected = ours(tsdb, runner, query.toString(), direct);
      assertThat(isRefused(coarse)).as(one.json()).isEqualTo(isRefused(direct));
      assertThat(difference(new Asked(one.json(), expected), got))
          .as(Seed.describe() + one.json())
          .isNull();
      widened += any ? 1 : 0;
      if (any) {
        assertThat(refusal(tsdb, runner, one.json())).as(one.json()).isNotEmpty();
      }
    }
    return widened;
  }

  private static void assertOfTheSameFunction(String asked, String used) {
    String[] parts = (asked.isEmpty() ? "1ms-avg" : asked.replace("-none", "")).split("-");
    String[] found = used.split("-");
    parts[0] = found[0];
    assertThat(found).as(asked).isEqualTo(parts);
  }

  private static String difference(Asked asked, List<String> got) {
    List<String> expected = new ArrayList<>(asked.expected());
    if (query(asked.json()).getNoAnnotations()) {
      // The serializer leaves them out.
      expected.removeIf(line -> line.startsWith("note "));
      got.removeIf(line -> line.startsWith("note "));
    }
    return Answers.difference(expected, got);
  }

  private static boolean isRefused(QueryContext context) {
    return context.aborted() != null && context.aborted().reason() == AbortReason.RAW_GONE;
  }

  /** Why a query is refused; empty if it is not. */
  private static String refusal(TSDB tsdb, RollupQueryRunner runner, String json) throws Exception {
    QueryContext context = context(0);
    ours(tsdb, runner, json, context);
    return isRefused(context) ? context.aborted().getMessage() : "";
  }

  /** The query with the downsampler that a refusal advises; null if it advises none. */
  private static String advised(String json, String refusal) {
    Matcher advice = Pattern.compile("downsample by ([^ ,]+)").matcher(refusal);
    // Of which sub-query?
    if (!advice.find() || query(json).getQueries().size() > 1 || json.contains("ROLLUP_RAW")) {
      return null;
    }
    String downsample = "\"downsample\":\"" + advice.group(1) + "\"";
    return json.contains("\"downsample\"")
        ? json.replaceFirst("\"downsample\":\"[^\"]*\"", downsample)
        : json.replaceFirst("(\"aggregator\":\"[^\"]*\")", "$1," + downsample);
  }

  private static boolean readsBelowTheFloor(TSDB tsdb, String json) throws Exception {
    TSQuery query = query(json);
    for (int i = 0; i < query.getQueries().size(); i++) {
      try {
        if (RawQuery.of(tsdb, query, i).join().scanStart() * 1000 < FLOOR) {
          return true;
        }
      } catch (NoSuchUniqueName e) {
        // It fails before it is planned.
      }
    }
    return false;
  }

  /** All points of rows before the floor; annotations stay. */
  private static void deleteRawData(StorageSchema schema) throws IOException {
    RowKey keys = new RowKey(schema);
    List<Delete> deletes = new ArrayList<>();
    try (Table table = hbase.connection().getTable(TableName.valueOf(schema.dataTable()));
        ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) {
        if (Bytes.getUnsignedInt(row.getRow(), keys.timeOffset()) * 1000 < FLOOR) {
          Delete delete = new Delete(row.getRow());
          for (Cell cell : row.rawCells()) {
            byte[] qualifier = CellUtil.cloneQualifier(cell);
            if (qualifier.length % 2 == 0 || qualifier[0] != 1) {
              delete.addColumns(CellUtil.cloneFamily(cell), qualifier);
            }
          }
          if (!delete.isEmpty()) {
            deletes.add(delete);
          }
        }
      }
      assertThat(deletes).hasSizeGreaterThan(1000);
      table.delete(deletes);
    }
  }

  private static RollupQueryRunner runner(TSDB tsdb, ProvenTimes proven) throws IOException {
    return runner(tsdb, () -> proven);
  }

  private static RollupQueryRunner runner(TSDB tsdb, Supplier<ProvenTimes> coverage)
      throws IOException {
    return runner(tsdb, coverage, true);
  }

  private static RollupQueryRunner runner(TSDB tsdb, Supplier<ProvenTimes> coverage, boolean packed)
      throws IOException {
    String file = tsdb.getConfig().getString("tsd.rollups.config");
    return RollupQueryRunner.of(
        tsdb,
        new RollupTables(RollupConfig.load(file), true, packed),
        coverage,
        CoverageSource::millis,
        threads,
        2,
        true);
  }

  /** Checks the rollups of every sub-query at once; all of them are right. */
  private static ShadowCheck checkOfAll(RollupQueryRunner runner, Set<String> found) {
    ShadowCheck check =
        new ShadowCheck(
            new ShadowSettings(1, 1, 0),
            new CheckedReader(runner.buckets(), found),
            bucket -> TO,
            Map.of(),
            (millis, work) -> work.run(),
            Seed.random(),
            () -> 0,
            () -> TO);
    return check;
  }

  /** Notes the series that the check finds in raw data: those that have points there. */
  private record CheckedReader(BucketReader reader, Set<String> found) implements BucketReader {
    @Override
    public List<byte[]> rawSeries(ShadowBucket bucket, long hour, byte[] after, int salt, int limit)
        throws Exception {
      List<byte[]> series = reader.rawSeries(bucket, hour, after, salt, limit);
      series.forEach(each -> found.add(UniqueId.uidToString(each)));
      if (after != null) {
        assertThat(series).doesNotContain(after);
      }
      return series;
    }

    @Override
    public Optional<SeriesValues> read(ShadowBucket bucket, byte[] tsuid, long maxCells)
        throws Exception {
      return reader.read(bucket, tsuid, maxCells);
    }

    @Override
    public String name(ShadowBucket bucket, byte[] tsuid) throws Exception {
      return reader.name(bucket, tsuid);
    }
  }

  private static String outcome(ShadowResult check) {
    return String.valueOf(check.fields().get("outcome"));
  }

  /**
   * Percentiles from pieces of rollups and raw data are those of one sketch of all points, to the
   * last bit; of native histograms those of OpenTSDB over raw data.
   */
  @Test
  void percentilesAreThoseOfOneSketchOfAllPoints() throws Exception {
    Random random = new Random(Seed.VALUE + 3);
    Map<String, String> conf = conf("sketches", Map.of("tsd.storage.salt.width", "1"));
    conf.put("tsd.core.histograms.config", CODECS);
    conf.put(
        "tsd.rollups.config",
        conf.get("tsd.rollups.config")
            .replace(
                "\"suite\":{",
                ("'suite':{'histograms':[{'metrics':'m,native,mixed','intervals':'10m,1h,1d'}],"
                        + "'histogramTables':{'10m':'sketches-h10m','1h':'sketches-h1h',"
                        + "'1d':'sketches-h1d'},")
                    .replace('\'', '"')));
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
      for (String table : List.of("sketches-h10m", "sketches-h1h", "sketches-h1d")) {
        if (!admin.tableExists(TableName.valueOf(table))) {
          admin.createTable(
              TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                  .build());
        }
      }
    }
    TSDB tsdb = tsdb(conf);
    tsdb.initializePlugins(false);
    StorageSchema schema = StorageSchema.from(tsdConfig(conf));
    RollupConfig rollups = RollupConfig.load(conf.get("tsd.rollups.config"));
    Map<String, TimeRanges> coverage = coverage(random, rollups);
    StoredSeries stored = new StoredSeries(random, schema, rollups, coverage);
    List<String> hosts = List.of("h0", "h1", "h2", "h3");
    byte[] metric = uid(tsdb, "metric", "m");
    for (String host : hosts) {
      stored.add(metric, FROM, TO, pair(tsdb, "host", host));
    }
    List<RawCell> raw = stored.raw();
    raw.addAll(natives(random, tsdb, stored, rollups));
    raw.addAll(mixed(tsdb, stored, schema));
    hbase.putCells(schema.dataTable(), raw);
    for (Map.Entry<String, List<RawCell>> each : stored.rollups().entrySet()) {
      hbase.putCells(each.getKey(), each.getValue());
    }
    for (String host : hosts) {
      warmUp(tsdb, host);
    }
    RollupQueryRunner runner = runner(tsdb, (level, width, name) -> coverage.get(level));
    ShadowCheck check = checkOfAll(runner, new TreeSet<>());
    runner.checkBy(check);
    Map<String, Integer> notes = new TreeMap<>();
    int queries = Math.max(80, QUERIES);
    for (int i = 0; i < queries; i++) {
      boolean natives = i % 4 == 0;
      String json = RandomQueries.percentiles(random, FROM, TO, natives ? "native" : "m");
      if (natives) {
        // With salt and none OpenTSDB makes several groups of a series, by the hours of its rows;
        // it drops a row after the end if no other is of these hours.
        json = json.replace("\"none\"", "\"sum\"").replace("Tags\":true", "Tags\":false");
      }
      QueryContext context = context(0);
      List<DataPoints[]> answer = runner.run(tsdb, query(json), context).join();
      context.end();
      String note = context.notes().get(0);
      if (natives) {
        assertThat(
                Answers.difference(tsuidsOnce(stock(tsdb, json)), tsuidsOnce(Answers.of(answer))))
            .as(Seed.describe(i) + json + note)
            .isNull();
        for (DataPoints group : answer.get(0)) {
          assertThat(group.getTSUIDs()).doesNotHaveDuplicates();
        }
        assertThat(note).doesNotContain("within");
      } else {
        Map<String, NavigableMap<Long, Double>> expected =
            percentiles(tsdb, json, hosts, stored.points());
        assertThat(values(json, answer)).as(Seed.describe(i) + json + note).isEqualTo(expected);
        // Of a group all buckets may begin before the query.
        assertThat(note.endsWith(" (within 1 %)"))
            .as(Seed.describe(i) + json + note)
            .isEqualTo(answer.get(0).length > 0);
      }
      notes.merge(note.replaceAll("\\d+", "N"), 1, Integer::sum);
    }
    System.out.println("sketches: " + notes);
    // How many kinds of plans there are depends on the coverage that is drawn.
    assertThat(notes.keySet()).anyMatch(note -> note.contains(".histogram:"));
    assertThat(notes).containsKey("N: raw (rollupUsage is ROLLUP_RAW) (within N %)");
    Set<String> checks = new TreeSet<>();
    check.last().forEach(each -> checks.add(outcome(each)));
    assertThat(checks).as(Seed.describe()).isSubsetOf("same", "no_raw_data").contains("same");
    String mixed =
        ("{'start':'"
                + FROM
                + "','end':'"
                + (FROM + 86_400_000)
                + "','queries':[{'percentiles':[50],'aggregator':'sum','downsample':'1d-sum',"
                + "'metric':'mixed','filters':[]}]}")
            .replace('\'', '"');
    QueryContext context = context(0);
    assertThat(Answers.of(runner.run(tsdb, query(mixed), context).join()))
        .isEqualTo(stock(tsdb, mixed))
        .hasSizeGreaterThan(2);
    assertThat(context.notes())
        .singleElement()
        .asString()
        .contains("raw (no proven rollups of ", "; raw (histograms of codec ids [1, 7])")
        .doesNotContain("within");
    // Histograms of other groups are not added to them.
    String each =
        mixed.replace(
            "[]",
            "[{'type':'literal_or','tagk':'host','filter':'h1|h2','groupBy':true}]"
                .replace('\'', '"'));
    context = context(0);
    assertThat(runner.run(tsdb, query(each), context).join().get(0))
        .extracting(group -> group.getTags().get("host"))
        .containsExactly("h1", "h2");
    assertThat(context.notes()).singleElement().asString().endsWith(" (within 1 %)");
    tsdb.shutdown().join();
  }

  /** With salt OpenTSDB takes a series of histograms for several, by the hours of its rows. */
  private static List<String> tsuidsOnce(List<String> lines) {
    Pattern tsuids = Pattern.compile("\\[([0-9A-F]{18}[0-9A-F, ]*)]");
    List<String> once = new ArrayList<>();
    for (String line : lines) {
      once.add(
          tsuids
              .matcher(line)
              .replaceAll(list -> "" + new TreeSet<>(List.of(list.group(1).split(", ", -1)))));
    }
    return once;
  }

  /**
   * A point, and a histogram of OpenTSDB's own in another hour, which cannot be added; and one of
   * each in a series of its own.
   */
  private static List<RawCell> mixed(TSDB tsdb, StoredSeries stored, StorageSchema schema)
      throws Exception {
    byte[] metric = uid(tsdb, "metric", "mixed");
    SimpleHistogram histogram = new SimpleHistogram(1);
    histogram.addBucket(1f, 2f, 5L);
    List<RawCell> cells = new ArrayList<>();
    for (String name : List.of("h0", "h1")) {
      byte[][] tags = {pair(tsdb, "host", name)};
      cells.add(stored.histogram(metric, FROM + 3_600_000, tags, 1, histogram.histogram(false)));
    }
    for (String name : List.of("h0", "h2")) {
      byte[] key = new RowKey(schema).encode(metric, FROM / 1000 + 7200, pair(tsdb, "host", name));
      cells.add(new RawCell(key, "t", Qualifier.ofSeconds(5, false, 1), FROM, new byte[] {9}));
    }
    return cells;
  }

  /** Two series of OpenTSDB's own histograms: raw cells, and their sums in rollups. */
  private static List<RawCell> natives(
      Random random, TSDB tsdb, StoredSeries stored, RollupConfig rollups) throws Exception {
    byte[] metric = uid(tsdb, "metric", "native");
    List<RawCell> raw = new ArrayList<>();
    for (String host : List.of("h0", "h1")) {
      byte[][] tags = {pair(tsdb, "host", host)};
      Map<String, BucketHistogram> sums = new TreeMap<>();
      for (long time = FROM; time < TO; time += 1000L * (1 + random.nextInt(20_000))) {
        SimpleHistogram histogram = new SimpleHistogram(1);
        for (int bucket = random.nextInt(4); bucket < 8; bucket += 1 + random.nextInt(3)) {
          histogram.addBucket(bucket * 10f, bucket * 10f + 10, 1L + random.nextInt(50));
        }
        byte[] bytes = histogram.histogram(false);
        raw.add(stored.histogram(metric, time, tags, 1, bytes));
        for (String interval : List.of("10m", "1h", "1d")) {
          long width = rollups.interval(interval).seconds() * 1000L;
          sums.computeIfAbsent(
                  interval + " " + time / width * width,
                  key -> new BucketHistogram(HistogramCodecs.NONE))
              .addCell(HistogramCodecs.SIMPLE, bytes, 0, bytes.length);
        }
      }
      for (Map.Entry<String, BucketHistogram> each : sums.entrySet()) {
        String[] of = each.getKey().split(" ", -1);
        stored.histogram(
            rollups.interval(of[0]),
            metric,
            Long.parseLong(of[1]),
            tags,
            1,
            each.getValue().bytes());
      }
    }
    return raw;
  }

  /** The percentiles of one sketch for each bucket and group of a query. */
  private static Map<String, NavigableMap<Long, Double>> percentiles(
      TSDB tsdb, String json, List<String> hosts, List<NavigableMap<Long, Double>> points)
      throws Exception {
    TSQuery query = query(json);
    TSSubQuery sub = query.getQueries().get(0);
    RawQuery raw = RawQuery.of(tsdb, query, 0).join();
    DownsamplingSpecification spec = sub.downsamplingSpecification();
    boolean each = sub.getAggregator().equals("none") || json.contains("\"groupBy\":true");
    long end = raw.scanEnd() + (raw.readsRowAfterEnd() ? 3600 : 0);
    Map<String, NavigableMap<Long, Sketch>> sketches = new TreeMap<>();
    for (int i = 0; i < hosts.size(); i++) {
      if (!json.contains("literal_or") || json.contains(hosts.get(i))) {
        NavigableMap<Long, Sketch> group =
            sketches.computeIfAbsent(each ? hosts.get(i) : "", key -> new TreeMap<>());
        points
            .get(i)
            .subMap(raw.scanStart() * 1000, end * 1000)
            .forEach(
                (time, value) ->
                    group.computeIfAbsent(bucket(spec, time), key -> new Sketch()).add(value));
      }
    }
    Map<String, NavigableMap<Long, Double>> found = new TreeMap<>();
    sketches.forEach(
        (group, buckets) ->
            buckets.forEach(
                (time, sketch) -> {
                  if (time >= query.startTime() && time <= query.endTime()) {
                    for (float p : List.of(50f, 95f, 99.9f)) {
                      found
                          .computeIfAbsent("m_pct_" + p + group, key -> new TreeMap<>())
                          .put(time, sketch.percentile(p));
                    }
                  }
                }));
    return found;
  }

  private static long bucket(DownsamplingSpecification spec, long time) {
    if (!spec.useCalendar()) {
      return time - time % spec.getInterval();
    }
    String text = spec.getStringInterval();
    return DateTime.previousInterval(
            time,
            DateTime.getDurationInterval(text),
            DateTime.unitsToCalendarType(DateTime.getDurationUnits(text)),
            spec.getTimezone())
        .getTimeInMillis();
  }

  /** What the serializer shows. */
  private static Map<String, NavigableMap<Long, Double>> values(
      String json, List<DataPoints[]> answers) {
    TSQuery query = query(json);
    boolean none = query.getQueries().get(0).getAggregator().equals("none");
    Map<String, NavigableMap<Long, Double>> found = new TreeMap<>();
    for (DataPoints points : answers.get(0)) {
      String host = points.getTags().getOrDefault("host", "");
      if (!none && !json.contains("\"groupBy\":true")) {
        host = "";
      }
      for (SeekableView view = points.iterator(); view.hasNext(); ) {
        DataPoint point = view.next();
        if (point.timestamp() >= query.startTime() && point.timestamp() <= query.endTime()) {
          Double before =
              found
                  .computeIfAbsent(points.metricName() + host, key -> new TreeMap<>())
                  .put(point.timestamp(), point.doubleValue());
          assertThat(before).as("a second value").isNull();
        }
      }
    }
    return found;
  }

  @Test
  void anErrorIsNeverAHole() throws Exception {
    Map<String, String> conf = conf("errors", Map.of());
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    uid(tsdb, "metric", "m");
    RollupQueryRunner runner = runner(tsdb, (interval, width, metric) -> TimeRanges.of(FROM, TO));
    String json =
        "{'start':'"
            + FROM
            + "','end':'"
            + (FROM + 7_200_000)
            + "','queries':"
            + "[{'aggregator':'sum','downsample':'1h-sum','metric':'m','filters':[]}]}";
    json = json.replace('\'', '"');
    assertThat(ours(tsdb, runner, json, context(0))).containsExactly("sub-query");

    String second = ",{\"aggregator\":\"sum\",\"downsample\":\"1h-sum\",\"metric\":\"none\"}]";
    QueryContext wrong = context(0);
    assertThat(ours(tsdb, runner, json.replace("]}]}", "]}" + second + "}"), wrong))
        .containsExactly("failed: NoSuchUniqueName");
    assertThat(wrong.notes()).as("nothing is read before all names are known").isEmpty();

    hbase.putCells("errors-1h", List.of(badRollup(tsdb)));
    assertThat(ours(tsdb, runner, json, context(0)))
        .containsExactly("failed: IllegalDataException");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(TableName.valueOf("errors-1h"));
      admin.deleteTable(TableName.valueOf("errors-1h"));
    }
    // TableNotFoundException, or what HBase's client makes of it after many attempts.
    assertThat(ours(tsdb, runner, json, context(0)))
        .singleElement()
        .asString()
        .contains("failed: ");
    tsdb.shutdown().join();
  }

  /** A part that cannot be read, and a packed table that does not answer, or is not there. */
  @Test
  void packedRowsThatCannotBeReadFailNoQuery() throws Exception {
    Map<String, String> conf = packed("corrupt", conf("corrupt", Map.of()));
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    StorageSchema schema = StorageSchema.from(tsdConfig(conf));
    RollupConfig rollups = RollupConfig.load(conf.get("tsd.rollups.config"));
    Map<String, TimeRanges> all = new HashMap<>();
    for (String level : new RollupTables(rollups).byLevel().keySet()) {
      all.put(level, TimeRanges.of(FROM, TO));
    }
    store(Seed.random(), tsdb, schema, rollups, all);
    RollupQueryRunner runner = runner(tsdb, (interval, width, metric) -> TimeRanges.of(FROM, TO));
    QueryContext packed = context(0);
    List<String> expected = ours(tsdb, runner, EIGHT_DAYS_OF_ROLLUPS, packed);
    assertThat(expected).hasSizeGreaterThan(100);
    assertThat(packed.notes()).containsExactly("0: 1h.packed:193");
    String nobody =
        EIGHT_DAYS_OF_ROLLUPS.replace(
            "[]",
            "[{'type':'regexp','tagk':'host','filter':'nobody','groupBy':false}]"
                .replace('\'', '"'));
    assertThat(ours(tsdb, runner, nobody, context(0))).hasSize(1);
    SeriesEstimate dropped =
        runner.estimates().of(RawQuery.of(tsdb, query(nobody), 0).join().selection());
    long hour = 3_600_000;
    double cellsOfHour = dropped.cells(PlanSize.raw(new QueryTimes(0, hour, 0, hour, hour)));
    assertThat(cellsOfHour / 360).as("series that HBase sends").isBetween(5.0, 20.0);

    byte[] key =
        new RowKey(schema)
            .encode(
                uid(tsdb, "metric", "m"),
                FROM / 1000 + 3 * 86_400,
                pair(tsdb, "dc", "d0"),
                pair(tsdb, "host", "h0"));
    byte[] qualifier = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    hbase.putCells("corrupt-p1h", List.of(new RawCell(key, "t", qualifier, 1, new byte[] {1, 0})));
    InFlight inFlight = new InFlight(0, 0);
    QueryContext plain = new QueryContext(QueryLimits.NONE, () -> 0, inFlight, "client");
    assertThat(ours(tsdb, runner, EIGHT_DAYS_OF_ROLLUPS, plain)).isEqualTo(expected);
    assertThat(plain.notes()).containsExactly("0: 1h.packed:193; 1h:193");
    assertThat(plain.cells()).as("of both").isGreaterThan(packed.cells());
    plain.end();
    assertThat(inFlight.bytes()).isZero();
    Map<String, Long> statistics = new HashMap<>();
    runner.collectStats(
        new StatsCollector("tsd") {
          @Override
          public void record(String name, long value, String tag) {
            statistics.put(name + " " + tag, value);
          }
        },
        "");
    assertThat(statistics).containsEntry("packed.unreadable null", 1L);
    assertThat(statistics.get("rollup_cells interval=1h.packed")).isPositive();

    QueryContext changed = context(0);
    AtomicInteger stale = new AtomicInteger();
    RollupQueryRunner changing =
        runner(
            tsdb,
            () ->
                changed.notes().toString().endsWith("; 1h:193]") && stale.getAndIncrement() == 0
                    ? removed()
                    : (interval, width, metric) -> TimeRanges.of(FROM, TO));
    assertThat(ours(tsdb, changing, EIGHT_DAYS_OF_ROLLUPS, changed)).isEqualTo(expected);
    assertThat(changed.notes())
        .as("a part that cannot be read is no change of the coverage")
        .containsExactly("0: 1h.packed:193; 1h:193; 1h:193");

    long plainCells = plain.cells() - packed.cells() - 1;
    QueryContext enough = context(plainCells);
    assertThat(ours(tsdb, runner, EIGHT_DAYS_OF_ROLLUPS, enough))
        .as("what was read in vain does not count")
        .isEqualTo(expected);
    QueryContext tooFew = context(packed.cells() + 1);
    assertThat(ours(tsdb, runner, EIGHT_DAYS_OF_ROLLUPS, tooFew))
        .containsExactly("failed: QueryAbortedException");
    assertThat(tooFew.aborted().reason()).isEqualTo(AbortReason.CELLS);

    TableName table = TableName.valueOf("corrupt-p1h");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(table);
      assertReadsPlainRows(tsdb, expected, "0: 1h.packed:193; 1h:193", "0: 1h:193");
      admin.deleteTable(table);
    }
    assertReadsPlainRows(tsdb, expected, "0: 1h.packed:193; 1h:193", "0: 1h:193");
    tsdb.shutdown().join();
  }

  /** The first query looks at a packed table that does not answer, and the next one does not. */
  private static void assertReadsPlainRows(TSDB tsdb, List<String> expected, String... notes)
      throws Exception {
    RollupQueryRunner runner = runner(tsdb, (interval, width, metric) -> TimeRanges.of(FROM, TO));
    for (String note : notes) {
      QueryContext context = context(0);
      assertThat(ours(tsdb, runner, EIGHT_DAYS_OF_ROLLUPS, context)).isEqualTo(expected);
      assertThat(context.notes()).containsExactly(note);
    }
  }

  private static ProvenTimes removed() {
    return new ProvenTimes() {
      @Override
      public TimeRanges proven(String interval, long widthMillis, String metric) {
        return TimeRanges.none();
      }

      @Override
      public TimeRanges stored(String interval, long widthMillis, String metric) {
        return TimeRanges.none();
      }
    };
  }

  /** A sum whose value has another length than its qualifier says. */
  private static RawCell badRollup(TSDB tsdb) throws Exception {
    RowKey keys = new RowKey(StorageSchema.defaults());
    byte[] key = keys.encode(uid(tsdb, "metric", "m"), FROM / 1000, pair(tsdb, "host", "h1"));
    return new RawCell(key, "t", RollupCell.doubleQualifier(0, 0), FROM, new byte[] {1, 2, 3});
  }

  @Test
  void aQueryThatIsTooLargeStops() throws Exception {
    Map<String, String> conf = conf("limits", Map.of());
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    Map<String, TimeRanges> coverage =
        coverage(Seed.random(), RollupConfig.load(conf.get("tsd.rollups.config")));
    store(
        Seed.random(),
        tsdb,
        StorageSchema.from(tsdConfig(conf)),
        RollupConfig.load(conf.get("tsd.rollups.config")),
        coverage);
    RollupQueryRunner runner = runner(tsdb, (interval, width, metric) -> coverage.get(interval));
    String json =
        "{'start':'"
            + FROM
            + "','end':'"
            + TO
            + "','queries':"
            + "[{'aggregator':'sum','downsample':'1h-sum','metric':'m','filters':[]}]}";
    json = json.replace('\'', '"');
    assertThat(ours(tsdb, runner, json, context(100)))
        .containsExactly("failed: QueryAbortedException");
    QueryContext raw = context(500);
    assertThat(ours(tsdb, runner, json.replace("1h-sum", "1h-dev"), raw))
        .containsExactly("failed: QueryAbortedException");
    // Nothing is held of what was read, also before the query's own end.
    for (AbortReason reason : List.of(AbortReason.CLIENT_GONE, AbortReason.TIME)) {
      InFlight inFlight = new InFlight(0, 0);
      QueryContext stopped = new QueryContext(QueryLimits.NONE, () -> 0, inFlight, "client");
      AtomicInteger calls = new AtomicInteger();
      RollupQueryRunner stopping =
          runner(
              tsdb,
              () -> {
                // With the first batch of rows.
                if (calls.incrementAndGet() == 2) {
                  stopped.abort(reason, "test");
                }
                return (interval, width, metric) -> coverage.get(interval);
              });
      assertThat(ours(tsdb, stopping, json, stopped))
          .containsExactly("failed: QueryAbortedException");
      assertThat(stopped.cells()).isPositive();
      Await.until("memory given back", Duration.ofMinutes(1), () -> inFlight.bytes() == 0);
    }
    QueryContext free = context(0);
    ours(tsdb, runner, json, free);
    assertThat(free.cells()).isGreaterThan(1000);
    assertThat(free.bytes()).isGreaterThan(32_000);
    tsdb.shutdown().join();
  }

  /** Three series with a point each ten minutes of a day, and fewer of the next. */
  @Test
  void aQueryIsRefusedBeforeItReads() throws Exception {
    Map<String, String> conf = conf("refused", Map.of("tsd.storage.salt.width", "1"));
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    List<Deferred<Object>> stored = new ArrayList<>();
    for (String host : List.of("h1", "h2", "h3")) {
      pair(tsdb, "host", host);
      for (int i = 0; i < 144; i++) {
        stored.add(tsdb.addPoint("k", FROM / 1000 + i * 600L, i, Map.of("host", host)));
      }
      // The next day as if a TSD had compacted all rows but the last.
      for (int i = 144; i < 288; i += i < 282 ? 6 : 1) {
        stored.add(tsdb.addPoint("k", FROM / 1000 + i * 600L, i, Map.of("host", host)));
      }
    }
    tsdb.flush().join();
    Deferred.group(stored).join();
    RollupQueryRunner runner = runner(tsdb, (interval, width, metric) -> TimeRanges.of(FROM, TO));
    String json =
        ("{'start':'"
                + FROM
                + "','end':'"
                + (FROM + 86_398_000)
                + "','queries':"
                + "[{'aggregator':'sum','downsample':'1h-sum','metric':'k','filters':[]}]}")
            .replace('\'', '"');
    QueryContext rollups = context(60);
    assertThat(ours(tsdb, runner, json, rollups)).containsExactly("failed: QueryAbortedException");
    assertThat(rollups.aborted())
        .hasMessageContaining("would read about 72 cells; the limit is 60")
        .hasMessageContaining("The downsampler 6h-sum would do");
    QueryContext coarse = context(60);
    coarse.widen();
    RollupQueryRunner other = runner(tsdb, (interval, width, metric) -> TimeRanges.of(FROM, TO));
    assertThat(ours(tsdb, other, json, coarse))
        .isEqualTo(ours(tsdb, other, json.replace("1h-sum", "6h-sum"), context(0)));
    assertThat(coarse.aborted()).isNull();
    assertThat(coarse.notes())
        .singleElement()
        .asString()
        .startsWith("0: downsampled by 6h-sum; 6h:4");
    AtomicInteger plans = new AtomicInteger();
    RollupQueryRunner counting =
        runner(
            tsdb,
            () -> {
              plans.incrementAndGet();
              return (interval, width, metric) -> TimeRanges.of(FROM, TO);
            });
    uid(tsdb, "metric", "empty");
    String second = ",{\"aggregator\":\"sum\",\"downsample\":\"1h-sum\",\"metric\":\"empty\"}]";
    assertThat(ours(tsdb, counting, json.replace("]}]}", "]}" + second + "}"), context(60)))
        .containsExactly("failed: QueryAbortedException");
    assertThat(plans.get())
        .as("plans: each sub-query, the one of which more is known, and for 2h, 3h and 6h")
        .isEqualTo(2 + 1 + 3);
    QueryContext raw = context(431);
    String dev = json.replace("1h-sum", "1h-dev");
    assertThat(ours(tsdb, runner, dev, raw)).containsExactly("failed: QueryAbortedException");
    assertThat(raw.aborted())
        .hasMessageContaining("would read about 432 cells")
        .hasMessageContaining("Ask for a shorter time or fewer series.");
    assertThat(raw.cells()).as("cells read").isZero();
    QueryContext enough = context(432);
    assertThat(Answers.difference(stock(tsdb, dev), ours(tsdb, runner, dev, enough))).isNull();
    assertThat(enough.cells()).isEqualTo(432);
    QueryContext next = context(100);
    String nextDay =
        dev.replace("" + (FROM + 86_398_000), "" + (FROM + 2 * 86_400_000L - 2000))
            .replace("" + FROM, "" + (FROM + 86_400_000));
    assertThat(Answers.difference(stock(tsdb, nextDay), ours(tsdb, runner, nextDay, next)))
        .as("what the day before has shown says nothing")
        .isNull();
    assertThat(next.cells()).isEqualTo(3 * (23 + 6));
    tsdb.shutdown().join();
  }

  /** One series passes of those that must be read, in the last hour of the day. */
  @Test
  void whatFiltersOfNamesDropIsNotExpectedToBeHeld() throws Exception {
    Map<String, String> conf = conf("dropped", Map.of());
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    List<Deferred<Object>> stored = new ArrayList<>();
    for (int host = 0; host < 301; host++) {
      String name = host == 7 ? "wanted" : "h" + host;
      pair(tsdb, "host", name);
      for (int i = 0; i < 24; i++) {
        long time = FROM / 1000 + 23 * 3600 + i * 150L;
        stored.add(tsdb.addPoint("f", time, i, Map.of("host", name)));
      }
    }
    tsdb.flush().join();
    Deferred.group(stored).join();
    RollupQueryRunner runner = runner(tsdb, (interval, width, metric) -> TimeRanges.none());
    String json =
        ("{'start':'"
                + FROM
                + "','end':'"
                + (FROM + 86_398_000)
                + "','queries':[{'aggregator':'sum','metric':'f','filters':"
                + "[{'type':'regexp','tagk':'host','filter':'FILTER','groupBy':false}]}]}")
            .replace('\'', '"');
    QueryContext all = new QueryContext(new QueryLimits(0, 1_200_000, 0), () -> 0);
    assertThat(ours(tsdb, runner, json.replace("FILTER", "."), all))
        .containsExactly("failed: QueryAbortedException");
    assertThat(all.aborted()).hasMessageContaining("The query would hold about ");
    assertThat(all.cells()).as("cells read").isZero();
    String one = json.replace("FILTER", "^want");
    for (String time : List.of("by a count", "by the query before")) {
      QueryContext context = new QueryContext(new QueryLimits(0, 1_200_000, 0), () -> 0);
      assertThat(Answers.difference(stock(tsdb, one), ours(tsdb, runner, one, context)))
          .as(time)
          .isNull();
      assertThat(context.cells()).as("cells read").isEqualTo(301 * 24);
    }
    tsdb.shutdown().join();
  }

  /** asynchbase opens its scanner again, and begins with rows that it has returned before. */
  @ParameterizedTest
  @ValueSource(strings = {"1h", "p1h"})
  void rowsOfARegionThatIsSplitAreReadOnce(String tableOf) throws Exception {
    String name = "split" + tableOf + "-" + tableOf;
    TableName table = TableName.valueOf(name);
    TSDB tsdb = tsdbOfRollups("split" + tableOf, tableOf.equals("p1h"));
    byte[] metric = uid(tsdb, "metric", "m");
    byte[] host = pair(tsdb, "host", "h1");
    try (Admin admin = hbase.connection().getAdmin()) {
      byte[] middle =
          new RowKey(StorageSchema.defaults()).encode(metric, FROM / 1000 + 5 * 86_400, host);
      RollupQueryRunner runner =
          pausing(
              tsdb,
              () -> {
                admin.split(table, middle);
                Await.until("a split", PATIENCE, () -> admin.getRegions(table).size() == 2);
                // The client notices it by any request.
                tsdb.getClient().get(new GetRequest(name, middle)).join();
                return null;
              });
      QueryContext context = context(0);
      List<String> expected = stock(tsdb, EIGHT_DAYS_OF_ROLLUPS);
      expected.removeIf(line -> line.startsWith("note "));
      List<String> got = ours(tsdb, runner, EIGHT_DAYS_OF_ROLLUPS, context);
      assertThat(Answers.difference(expected, got)).isNull();
      assertThat(context.notes())
          .singleElement()
          .asString()
          .matches(tableOf.equals("p1h") ? "0: 1h.packed:\\d+" : "0: 1h:\\d+");
      assertThat(admin.getRegions(table)).hasSize(2);
    }
    tsdb.shutdown().join();
  }

  /** asynchbase asks for a scanner that HBase has closed, again and again. */
  @Test
  void aScanThatHasNoEndEndsWithItsQuery() throws Exception {
    TSDB tsdb = tsdbOfRollups("endless", false);
    InFlight inFlight = new InFlight(0, 0);
    QueryContext context = new QueryContext(QueryLimits.NONE, () -> 0, inFlight, "client");
    CountDownLatch closed = new CountDownLatch(1);
    try (Admin admin = hbase.connection().getAdmin()) {
      byte[] region = admin.getRegions(TableName.valueOf("endless-1h")).get(0).getRegionName();
      RollupQueryRunner runner =
          pausing(
              tsdb,
              () -> {
                admin.unassign(region);
                admin.assign(region);
                closed.countDown();
                return null;
              });
      Deferred<List<DataPoints[]>> answer = runner.run(tsdb, query(EIGHT_DAYS_OF_ROLLUPS), context);
      assertThat(closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
      assertThat(inFlight.bytes()).isPositive();
      context.abort(AbortReason.TIME, "late");
      assertThatThrownBy(() -> answer.join(PATIENCE.toMillis())).hasMessage("late");
      // A thread that has counted a batch in the sub-query alone counts it in the sum a moment
      // later.
      Await.until("all bytes are given back", PATIENCE, () -> inFlight.bytes() == 0);
    }
  }

  /** Packed rows have copies: their scan has an end. */
  @Test
  void aPackedScanThatHasNoEndIsReadFromPlainRows() throws Exception {
    TSDB tsdb = tsdbOfRollups("silent", true);
    InFlight inFlight = new InFlight(0, 0);
    QueryContext context = new QueryContext(QueryLimits.NONE, () -> 0, inFlight, "client");
    try (Admin admin = hbase.connection().getAdmin()) {
      byte[] region = admin.getRegions(TableName.valueOf("silent-p1h")).get(0).getRegionName();
      RollupQueryRunner runner =
          pausing(
              tsdb,
              () -> {
                admin.unassign(region);
                admin.assign(region);
                return null;
              });
      List<String> expected = stock(tsdb, EIGHT_DAYS_OF_ROLLUPS);
      expected.removeIf(line -> line.startsWith("note "));
      List<String> got = ours(tsdb, runner, EIGHT_DAYS_OF_ROLLUPS, context);
      assertThat(Answers.difference(expected, got)).isNull();
      assertThat(context.notes()).containsExactly("0: 1h.packed:193; 1h:193");
      context.end();
      assertThat(inFlight.bytes()).isZero();
    }
    tsdb.shutdown().join();
  }

  /** A TSD of which all times are rolled up; it reads four rows at once, or 64 packed ones. */
  private static TSDB tsdbOfRollups(String prefix, boolean packed) throws Exception {
    Map<String, String> conf = conf(prefix, Map.of("tsd.storage.hbase.scanner.maxNumRows", "4"));
    conf = packed ? packed(prefix, conf) : conf;
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    RollupConfig rollups = RollupConfig.load(conf.get("tsd.rollups.config"));
    Map<String, TimeRanges> all = new HashMap<>();
    for (String level : new RollupTables(rollups).byLevel().keySet()) {
      all.put(level, TimeRanges.of(FROM, TO));
    }
    store(Seed.random(), tsdb, StorageSchema.from(tsdConfig(conf)), rollups, all);
    return tsdb;
  }

  /** One that does something with the first batch; the next one is asked for after it. */
  private static RollupQueryRunner pausing(TSDB tsdb, Callable<Void> withTheFirstBatch)
      throws IOException {
    AtomicInteger calls = new AtomicInteger();
    return RollupQueryRunner.of(
        tsdb,
        new RollupTables(RollupConfig.load(tsdb.getConfig().getString("tsd.rollups.config"))),
        () -> {
          // The plan is the first call.
          if (calls.incrementAndGet() == 2) {
            try {
              withTheFirstBatch.call();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }
          return (interval, width, metric) -> TimeRanges.of(FROM, TO);
        },
        CoverageSource::millis,
        threads,
        1,
        false);
  }

  /** The coverage changes while its rollups are read, once and again and again. */
  @Test
  void whatIsNoLongerProvenIsReadAgain() throws Exception {
    Map<String, String> conf = conf("again", Map.of());
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(conf).create(admin);
    }
    TSDB tsdb = tsdb(conf);
    Map<String, TimeRanges> none = new HashMap<>();
    for (String interval : List.of("1m", "10m", "1h", "6h", "1d")) {
      none.put(interval, TimeRanges.none());
    }
    store(
        Seed.random(),
        tsdb,
        StorageSchema.from(tsdConfig(conf)),
        RollupConfig.load(conf.get("tsd.rollups.config")),
        none);
    String json =
        ("{'start':'"
                + (FROM + 86_400_000)
                + "','end':'"
                + (FROM + 172_800_000)
                + "','queries':"
                + "[{'aggregator':'sum','downsample':'1h-sum','metric':'m','filters':[]}]}")
            .replace('\'', '"');
    ProvenTimes all = (interval, width, metric) -> TimeRanges.of(FROM, TO);
    ProvenTimes nothing = (interval, width, metric) -> TimeRanges.none();
    List<ProvenTimes> readings = new ArrayList<>(List.of(all));
    QueryContext once = context(0);
    List<String> expected = stock(tsdb, json);
    RollupQueryRunner removed =
        runner(tsdb, () -> readings.isEmpty() ? nothing : readings.remove(0));
    assertThat(Answers.difference(expected, ours(tsdb, removed, json, once))).isNull();
    assertThat(once.notes())
        .singleElement()
        .asString()
        .matches("0: 1h:\\d+( raw:\\d+s)?; raw \\(no rollups are proven to be stored\\)");
    RollupQueryRunner flapping = runner(tsdb, RandomQueriesIT::removedAfterThePlan);
    QueryContext often = context(0);
    assertThat(Answers.difference(expected, ours(tsdb, flapping, json, often))).isNull();
    assertThat(often.notes())
        .singleElement()
        .asString()
        .matches("0: 1h.*; 1h.*; raw \\(the coverage has changed, it lacks .*");
    // The floor rises when raw data were planned, and are read.
    AtomicInteger calls = new AtomicInteger();
    RollupQueryRunner rising =
        runner(tsdb, () -> new Floored(none, calls.incrementAndGet() < 3 ? 0 : TO));
    QueryContext late = context(0);
    assertThat(ours(tsdb, rising, json.replace("1h-sum", "1h-dev"), late))
        .containsExactly("failed: QueryAbortedException");
    assertThat(late.cells()).as("cells read before").isPositive();
    assertThat(late.aborted().reason()).isEqualTo(AbortReason.RAW_GONE);
    tsdb.shutdown().join();
  }

  /** A reading that proves all to a plan, and nothing to each check, however many batches ask. */
  private static ProvenTimes removedAfterThePlan() {
    return new ProvenTimes() {
      @Override
      public TimeRanges proven(String interval, long widthMillis, String metric) {
        return TimeRanges.of(FROM, TO);
      }

      @Override
      public TimeRanges stored(String interval, long widthMillis, String metric) {
        return TimeRanges.none();
      }
    };
  }

  /**
   * @param cells that may be read; 0: any number
   */
  private static QueryContext context(long cells) {
    return new QueryContext(new QueryLimits(cells, 0, 0), () -> System.nanoTime() / 1_000_000);
  }

  private static TsdConfig tsdConfig(Map<String, String> conf) {
    TsdConfig tsd = TsdConfig.parse("");
    for (Map.Entry<String, String> each : conf.entrySet()) {
      tsd = tsd.with(each.getKey(), each.getValue());
    }
    return tsd;
  }

  private static List<String> ours(
      TSDB tsdb, RollupQueryRunner runner, String json, QueryContext context) throws Exception {
    try {
      return Answers.of(runner.run(tsdb, query(json), context).join());
    } catch (Exception e) {
      return new ArrayList<>(List.of(failure(e)));
    }
  }

  private static List<String> stock(TSDB tsdb, String json) throws Exception {
    try {
      TSQuery query = query(json);
      List<DataPoints[]> answers = new ArrayList<>();
      for (int i = 0; i < query.getQueries().size(); i++) {
        answers.add(RawQuery.of(tsdb, query, i).join().run().join());
      }
      return Answers.of(answers);
    } catch (Exception e) {
      return new ArrayList<>(List.of(failure(e)));
    }
  }

  private static String failure(Throwable e) {
    Throwable cause = e;
    while (cause instanceof DeferredGroupException) {
      cause = cause.getCause();
    }
    return "failed: " + cause.getClass().getSimpleName();
  }

  private static TSQuery query(String json) {
    TSQuery query = JSON.parseToObject(json, TSQuery.class);
    query.validateAndSetQuery();
    return query;
  }

  private static Map<String, String> conf(String prefix, Map<String, String> more) {
    StringBuilder rollups =
        new StringBuilder(
            "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4,\"p50\":10,\"p99\":11,"
                + "\"p999\":12,\"first\":13,\"last\":14},\"suite\":{\"values\":[{\"metrics\":\"*\","
                + "\"intervals\":\"1h,6h,1d\",\"aggregators\":\"p50,p99,p999,first,last\"}]},");
    rollups.append("\"intervals\":[").append(interval(prefix + "-tsdb", "1m", "1h", true));
    rollups.append(',').append(interval(prefix + "-10m", "10m", "1d", false));
    rollups.append(',').append(interval(prefix + "-1h", "1h", "1d", false));
    rollups.append(',').append(interval(prefix + "-6h", "6h", "1n", false));
    rollups.append(',').append(interval(prefix + "-1d", "1d", "1y", false)).append("]}");
    Map<String, String> conf = new HashMap<>(more);
    conf.put("tsd.storage.hbase.zk_quorum", hbase.zkQuorum());
    conf.put("tsd.storage.hbase.data_table", prefix + "-tsdb");
    conf.put("tsd.storage.hbase.uid_table", prefix + "-uid");
    conf.put("tsd.storage.hbase.meta_table", prefix + "-meta");
    conf.put("tsd.storage.hbase.tree_table", prefix + "-tree");
    conf.put("tsd.storage.enable_compaction", "false");
    conf.put("tsd.storage.fix_duplicates", "true");
    conf.put("tsd.core.auto_create_metrics", "true");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollups.toString());
    return conf;
  }

  /** The same configuration with packed tables. */
  private static Map<String, String> packed(String prefix, Map<String, String> conf) {
    String tables =
        "'packed':{'1h':'PREFIX-p1h','6h':'PREFIX-p6h','1d':'PREFIX-p1d'},"
            .replace('\'', '"')
            .replace("PREFIX", prefix);
    conf.computeIfPresent(
        "tsd.rollups.config", (key, json) -> json.replace("\"suite\":{", "\"suite\":{" + tables));
    return conf;
  }

  private static String interval(String table, String interval, String span, boolean isDefault) {
    return String.format(
        "{\"table\":\"%s\",\"preAggregationTable\":\"%s\",\"interval\":\"%s\",\"rowSpan\":\"%s\","
            + "\"defaultInterval\":%b}",
        table, table, interval, span, isDefault);
  }

  private static TSDB tsdb(Map<String, String> conf) throws Exception {
    Config config = new Config(false);
    config.overrideConfig("tsd.storage.salt.width", "0");
    config.overrideConfig("tsd.storage.salt.buckets", "20");
    for (String uid : List.of("metric", "tagk", "tagv")) {
      // A TSD before may have left others in static fields.
      config.overrideConfig("tsd.storage.uid.width." + uid, "3");
    }
    conf.forEach(config::overrideConfig);
    TSDB tsdb = new TSDB(config);
    TagVFilter.initializeFilterMap(tsdb);
    return tsdb;
  }

  /** Some windows with holes for each level, of whole buckets, and hours with open repairs. */
  private static Map<String, TimeRanges> coverage(Random random, RollupConfig rollups) {
    Map<String, TimeRanges> coverage = new HashMap<>();
    List<Long> masked = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      masked.add((FROM + (long) (random.nextDouble() * (TO - FROM))) / 3_600_000 * 3_600_000);
    }
    Map<String, Long> widths = new TreeMap<>();
    for (RollupInterval interval : rollups.intervals()) {
      widths.put(interval.interval(), interval.seconds() * 1000L);
      for (String name : rollups.suite().aggregators(interval.interval())) {
        widths.put(Level.text(interval.interval(), name), interval.seconds() * 1000L);
      }
      if (rollups.suite().histogram(interval.interval())) {
        String level = Level.text(interval.interval(), Level.HISTOGRAM);
        widths.put(level, interval.seconds() * 1000L);
      }
      if (rollups.suite().packedTable(interval.interval()) != null) {
        String level = Level.text(interval.interval(), Level.PACKED);
        widths.put(level, interval.seconds() * 1000L);
      }
    }
    for (String level : new RollupTables(rollups).byLevel().keySet()) {
      coverage.put(level, TimeRanges.none());
    }
    for (Map.Entry<String, Long> level : widths.entrySet()) {
      long width = level.getValue();
      TimeRanges ranges = TimeRanges.of(FROM + 2 * 86_400_000L, TO - 5 * 86_400_000L);
      for (int holes = 3; holes > 0; holes--) {
        long hole = (FROM + (long) (random.nextDouble() * (TO - FROM))) / width * width;
        ranges = ranges.minus(TimeRanges.of(hole, hole + (1 + random.nextInt(3)) * width));
      }
      for (long hour : masked) {
        long begin = hour / width * width;
        ranges = ranges.minus(TimeRanges.of(begin, begin + Math.max(width, 3_600_000)));
      }
      coverage.put(level.getKey(), ranges);
    }
    return coverage;
  }

  /** Stores the series, and returns their TSUIDs. */
  private static List<String> store(
      Random random,
      TSDB tsdb,
      StorageSchema schema,
      RollupConfig rollups,
      Map<String, TimeRanges> coverage)
      throws Exception {
    StoredSeries stored = new StoredSeries(random, schema, rollups, coverage);
    List<String> tsuids = new ArrayList<>();
    byte[] other = uid(tsdb, "metric", "a");
    byte[] metric = uid(tsdb, "metric", "m");
    byte[] dc0 = pair(tsdb, "dc", "d0");
    byte[] rack = pair(tsdb, "rack", "r1");
    for (int i = 0; i < 8; i++) {
      byte[] host = pair(tsdb, "host", "h" + i);
      byte[] dc = pair(tsdb, "dc", "d" + i % 2);
      long from = i == 3 ? FROM + 20 * 86_400_000L : FROM;
      long to = i == 4 ? TO - 25 * 86_400_000L : TO;
      stored.add(metric, from, to, host, dc);
      tsuids.add(UniqueId.uidToString(metric) + text(dc, host));
    }
    stored.add(metric, FROM, TO, pair(tsdb, "host", "h1"), dc0, rack);
    stored.add(other, FROM, TO, pair(tsdb, "host", "h1"), dc0);
    byte[] odd = uid(tsdb, "metric", "odd");
    stored.add(odd, FROM, TO, pair(tsdb, "host", "h1"), dc0);
    stored.add(odd, FROM, TO, pair(tsdb, "host", "h2"), dc0);
    for (int i = 1; i < 60; i++) {
      // Behind the coverage.
      stored.addNaN(odd, TO - i * 3_600_000L, pair(tsdb, "host", "h1"), dc0);
    }
    hbase.putCells(schema.dataTable(), stored.raw());
    for (Map.Entry<String, List<RawCell>> each : stored.rollups().entrySet()) {
      hbase.putCells(each.getKey(), each.getValue());
    }
    for (RollupInterval interval : rollups.intervals()) {
      String table = rollups.suite().packedTable(interval.interval());
      if (table != null) {
        TimeRanges equal = coverage.get(Level.text(interval.interval(), Level.PACKED));
        List<RawCell> plain = stored.rollups().get(interval.table());
        hbase.putCells(
            table, new PackedParts(random, new RowKey(schema), rollups, interval, equal).of(plain));
      }
    }
    warmUp(tsdb);
    return tsuids;
  }

  /** Filters of 2.4.1 lose rows until the names are in the TSD's cache. */
  private static void warmUp(TSDB tsdb) throws Exception {
    for (String name : List.of("host", "dc", "rack")) {
      tsdb.getUidName(UniqueIdType.TAGK, tsdb.getUID(UniqueIdType.TAGK, name)).join();
    }
    for (int i = 0; i < 8; i++) {
      warmUp(tsdb, "h" + i);
    }
    warmUp(tsdb, "d0");
    warmUp(tsdb, "d1");
    warmUp(tsdb, "r1");
  }

  private static void warmUp(TSDB tsdb, String value) throws Exception {
    tsdb.getUidName(UniqueIdType.TAGV, tsdb.getUID(UniqueIdType.TAGV, value)).join();
  }

  /** The pairs in the order of the tag keys. */
  private static String text(byte[] a, byte[] b) {
    String first = UniqueId.uidToString(a);
    String second = UniqueId.uidToString(b);
    return first.compareTo(second) < 0 ? first + second : second + first;
  }

  private static byte[] uid(TSDB tsdb, String type, String name) {
    try {
      return tsdb.getUID(UniqueId.stringToUniqueIdType(type), name);
    } catch (NoSuchUniqueName e) {
      return tsdb.assignUid(type, name);
    }
  }

  private static byte[] pair(TSDB tsdb, String key, String value) throws Exception {
    byte[] k = uid(tsdb, "tagk", key);
    byte[] v = uid(tsdb, "tagv", value);
    byte[] pair = java.util.Arrays.copyOf(k, k.length + v.length);
    System.arraycopy(v, 0, pair, k.length, v.length);
    return pair;
  }
}
