package io.tsdbsuite.rollup.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of both sides, in the order of their keys. */
class ComparisonTest {
  private static final long HOUR = 1763514000;
  private static final byte[] A = HexFormat.of().parseHex("000001" + "000001000001");
  private static final byte[] B = HexFormat.of().parseHex("000001" + "000001000002");
  private static final byte[] SECOND = HexFormat.of().parseHex("000002" + "000001000001");
  private static final byte[] THIRD = HexFormat.of().parseHex("000003" + "000001000001");
  private static final byte[] NAMELESS = HexFormat.of().parseHex("000009" + "000001000002");
  private static final int ALL = 0xf;
  private static final int P50 = 1 << 4;
  private static final int P99 = 1 << 5;
  private static final int FIRST = 1 << 6;
  private static final int LAST = 1 << 7;
  private static final Aggregators FOUR =
      new Aggregators(
          List.of("sum", "min", "max", "count"),
          List.of(0, 3, 4, 2),
          SuiteConfig.NONE,
          HistogramCodecs.NONE);

  private final VerifyBooks books = new VerifyBooks();
  private final SeriesText text;
  private Comparison comparison;

  ComparisonTest() {
    UidNames names =
        (kind, uid, out) -> {
          out.set((kind.qualifier() + uid).getBytes(StandardCharsets.ISO_8859_1));
          return uid != 9;
        };
    text = new SeriesText(new RowKey(StorageSchema.defaults()), names);
    comparison = new Comparison(FOUR, List.of("1h", "1d"), text, books, List.of(), null);
  }

  private void computed(byte[] tsuid, int interval, long time, double... values) {
    comparison.add(VerifyRecord.key(tsuid, interval, time), VerifyRecord.computed(ALL, values));
  }

  private void stored(byte[] tsuid, int interval, long time, int present, double... values) {
    comparison.add(
        VerifyRecord.key(tsuid, interval, time),
        VerifyRecord.stored(present, false, values, 0, values.length));
  }

  private void requireCounts(long equal, long missing, long extra, long different) {
    comparison.finish();
    assertThat(books.count(Verdict.EQUAL)).isEqualTo(equal);
    assertThat(books.count(Verdict.MISSING)).isEqualTo(missing);
    assertThat(books.count(Verdict.EXTRA)).isEqualTo(extra);
    assertThat(books.count(Verdict.DIFFERENT)).isEqualTo(different);
    assertThat(books.close()).isTrue();
    assertThat(books.isClean()).isEqualTo(missing + extra + different == 0);
  }

  @Test
  void equalValuesAreClean() {
    computed(A, 0, HOUR, 3, -1, 4, 2);
    stored(A, 0, HOUR, ALL, 3, -1, 4, 2);
    stored(A, 1, HOUR, ALL, 0.0, 0.0, 0.0, 1);
    computed(A, 1, HOUR, -0.0, -0.0, 0.0, 1);
    requireCounts(2, 0, 0, 0);
    assertThat(books.count("1d", Verdict.EQUAL)).isEqualTo(1);
    assertThat(books.seriesCompared()).isEqualTo(1);
    assertThat(books.samples()).isEmpty();
  }

  /** One value each, or two equal ones: a query takes both for points. */
  @Test
  void aRollupInTwoSaltBucketsIsDifferent() {
    computed(A, 0, HOUR, 3, 1, 2, 2);
    stored(A, 0, HOUR, ALL, 3, 1, 2, 2);
    stored(A, 0, HOUR, ALL, 3, 1, 2, 2);
    computed(B, 0, HOUR, 3, 1, 2, 2);
    stored(B, 0, HOUR, ALL, 3, 1, 2, 2);
    requireCounts(1, 0, 0, 1);
    assertThat(books.samples().toString()).contains("in two salt buckets");
  }

  /** It would answer for the series that has the name. */
  @Test
  void noTsdIsAskedForASeriesWithoutANameOfItsOwn() {
    TsdComparison asked =
        new TsdComparison(
            new TsdRollups(URI.create("http://127.0.0.1:1"), HOUR, HOUR + 3600),
            FOUR,
            List.of("1h"),
            text,
            books,
            List.of());
    asked.add(VerifyRecord.key(NAMELESS, 0, HOUR), VerifyRecord.computed(ALL, 3, 1, 2, 2));
    assertThatThrownBy(asked::finish)
        .isInstanceOf(JobException.class)
        .hasMessageContainingAll("000009000001000002", "no name of its own");
  }

  /** Raw data may be gone there, or be late points alone. */
  @Test
  void nothingIsComparedBelowTheFloor() {
    long floor = HOUR / 86_400 * 86_400 + 86_400;
    assertThat(floor).isGreaterThan(HOUR + 3600);
    comparison =
        new Comparison(
            FOUR,
            List.of("1h", "1d"),
            text,
            books,
            List.of(
                new CoverageFloor("raw", "a", floor, "metrics1", "a proof", floor * 1000),
                new CoverageFloor("1d", "a", floor - 86_400, "*", "a proof", floor * 1000)),
            null);
    stored(A, 0, HOUR, ALL, 3, -1, 4, 2);
    stored(A, 0, HOUR + 3600, ALL, 3, -1, 4, 2);
    computed(A, 0, HOUR + 3600, 1, 1, 1, 1);
    computed(A, 0, HOUR + 7200, 1, 1, 1, 1);
    stored(A, 0, floor, ALL, 3, -1, 4, 2);
    stored(A, 1, floor - 86_400, ALL, 3, -1, 4, 2);
    computed(A, 1, floor, 1, 1, 1, 1);
    stored(A, 1, floor, ALL, 1, 1, 1, 1);
    stored(NAMELESS, 0, HOUR, ALL, 3, -1, 4, 2);
    requireCounts(1, 0, 1, 0);
    assertThat(books.countBelowFloor("1h")).isEqualTo(4);
    assertThat(books.countBelowFloor()).isEqualTo(5);
    assertThat(books.seriesCompared()).isEqualTo(1);
    assertThat(books.fromRawData()).isEqualTo(1);
    assertThat(books.samples().toString()).contains("2025-11-20T00:00:00Z: stored is");
    VerifyBooks sum = new VerifyBooks();
    sum.add(books);
    sum.add(books);
    assertThat(sum.countBelowFloor()).isEqualTo(10);
  }

  /** Raw data that came back make rollups of a table whose rows are gone. */
  @Test
  void nothingIsComparedBelowTheFloorOfItsInterval() {
    long floor = HOUR / 86_400 * 86_400 + 86_400;
    comparison =
        new Comparison(
            FOUR,
            List.of("1h", "1d"),
            text,
            books,
            List.of(
                new CoverageFloor("1h", "a", floor, "metrics1", "a proof", floor * 1000),
                new CoverageFloor("raw", "a", floor - 172_800, "*", "a proof", floor * 1000)),
            null);
    computed(A, 0, HOUR, 3, 1, 2, 2);
    computed(A, 0, floor, 1, 1, 1, 1);
    computed(A, 1, floor - 86_400, 1, 1, 1, 1);
    stored(NAMELESS, 0, HOUR, ALL, 3, -1, 4, 2);
    requireCounts(0, 2, 0, 0);
    assertThat(books.countBelowFloor("1h")).isEqualTo(2);
    assertThat(books.countBelowFloor("1d")).isZero();
  }

  @Test
  void everyFindingIsNamed() {
    computed(A, 0, HOUR, 3, 1, 2, 2);
    stored(A, 0, HOUR + 3600, ALL, 5, 5, 5, 1);
    computed(B, 0, HOUR, 3, 1, 2, 2);
    stored(B, 0, HOUR, ALL, 3, 1, 2.5, 2);
    computed(B, 0, HOUR + 3600, 3, 1, 2, 2);
    stored(B, 0, HOUR + 3600, 0x7, 3, 1, 2, 9);
    computed(NAMELESS, 0, HOUR, 1, 1, 1, 1);
    requireCounts(0, 2, 1, 2);
    assertThat(books.samples().get(Verdict.MISSING))
        .containsExactly(
            "metrics1{tagk1=tagv1} 1h 2025-11-19T01:00:00Z: nothing is stored, raw data make"
                + " sum=3.0 min=1.0 max=2.0 count=2",
            "TSUID 000009000001000002 1h 2025-11-19T01:00:00Z: nothing is stored, raw data make"
                + " sum=1.0 min=1.0 max=1.0 count=1");
    assertThat(books.samples().get(Verdict.EXTRA))
        .containsExactly(
            "metrics1{tagk1=tagv1} 1h 2025-11-19T02:00:00Z: stored is sum=5.0 min=5.0 max=5.0"
                + " count=1, raw data make nothing");
    assertThat(books.samples().get(Verdict.DIFFERENT))
        .containsExactly(
            "metrics1{tagk1=tagv2} 1h 2025-11-19T01:00:00Z: max is 2.5, raw data make 2.0",
            "metrics1{tagk1=tagv2} 1h 2025-11-19T02:00:00Z: count is not stored, raw data make 2");
    assertThat(books.seriesCompared()).isEqualTo(3);
  }

  @Test
  void aValueThatIsStoredTwiceIsDifferent() {
    computed(A, 0, HOUR, 3, 1, 2, 2);
    comparison.add(
        VerifyRecord.key(A, 0, HOUR),
        VerifyRecord.stored(ALL, true, new double[] {3, 1, 2, 2}, 0, 4));
    requireCounts(0, 0, 0, 1);
    assertThat(books.samples().get(Verdict.DIFFERENT).get(0)).contains("two columns that differ");
  }

  @Test
  void samplesAreFew() {
    for (int i = 0; i < 100; i++) {
      computed(A, 0, HOUR + i * 3600L, 1, 1, 1, 1);
    }
    requireCounts(0, 100, 0, 0);
    VerifyBooks both = new VerifyBooks();
    both.add(books);
    both.add(books);
    assertThat(both.count(Verdict.MISSING)).isEqualTo(200);
    assertThat(both.samples().get(Verdict.MISSING)).hasSize(VerifyBooks.SAMPLES);
    assertThat(both.close()).isTrue();
  }

  @Test
  void aSideMustNotHaveARollupTwice() {
    computed(A, 0, HOUR, 3, 1, 2, 2);
    assertThatThrownBy(() -> computed(A, 0, HOUR, 3, 1, 2, 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("metrics1{tagk1=tagv1} 1h");
  }

  private static RollupConfig config(String values) {
    return suite(values.isEmpty() ? "" : "'values':[" + values + "]");
  }

  private static RollupConfig suite(String suite) {
    return RollupConfig.parse(
        ("{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4,'p50':5,'p99':7,'first':9,'last':8},"
                    + "'intervals':[")
                .replace('\'', '"')
            + interval("1m", "1h", true)
            + ","
            + interval("1h", "1d", false)
            + ","
            + interval("6h", "1n", false)
            + ","
            + interval("1d", "1y", false)
            + "]"
            + (suite.isEmpty() ? "" : ",'suite':{" + suite + "}").replace('\'', '"')
            + "}");
  }

  private void compareWith(CoverageFloor... floors) throws IOException {
    RollupInterval source = config("").interval("6h");
    comparison = new Comparison(FOUR, List.of("6h", "1d"), text, books, List.of(floors), source);
  }

  /** The names of the suite in their order, whatever the intervals have. */
  private Aggregators further(boolean isMade) {
    RollupConfig config =
        config(
            "{'metrics':'metrics1','intervals':'6h','aggregators':'last,first'},"
                + "{'metrics':'metrics1,none','intervals':'6h,1d','aggregators':'p50'},"
                + "{'metrics':'metrics2','intervals':'1h','aggregators':'p99'},"
                + "{'metrics':'metrics3','intervals':'1d','aggregators':'p50,first,last'}");
    Aggregators all = Aggregators.of(config, HistogramCodecs.NONE);
    comparison =
        new Comparison(
            all,
            isMade ? List.of("6h", "1d") : List.of("1h", "6h"),
            text,
            books,
            List.of(),
            isMade ? config.interval("6h") : null);
    return all;
  }

  private static byte[] sketch(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    return sketch.bytes();
  }

  private void storedHistogram(byte[] tsuid, int level, long time, int codec, byte[] bytes) {
    comparison.add(
        VerifyRecord.key(tsuid, level, time),
        VerifyRecord.histogram(true, codec, bytes, 0, bytes.length));
  }

  /** Of the level 2, those of 1h. */
  @Test
  void histogramsAreComparedByteByByte() throws IOException {
    RollupConfig config =
        suite(
            "'histograms':[{'metrics':'*','intervals':'1h'}],"
                + "'histogramTables':{'1h':'h1h','1d':'h1d'}");
    Aggregators all =
        Aggregators.of(
            config,
            HistogramCodecs.load(
                "{\"io.tsdbsuite.histogram.SketchCodec\":5,"
                    + "\"net.opentsdb.core.SimpleHistogramDecoder\":1}"));
    List<String> levels = all.levels(List.of(config.interval("1h"), config.interval("1d")));
    assertThat(levels).containsExactly("1h", "1d", "1h.histogram");
    long floor = HOUR / 86_400 * 86_400;
    comparison =
        new Comparison(
            all,
            levels,
            text,
            books,
            List.of(
                new CoverageFloor("raw", "a", floor, "*", "a proof", floor * 1000),
                new CoverageFloor("1h", "a", floor + 86_400, "*", "a proof", floor * 1000)),
            null);
    byte[] of = sketch(1, 2, 3);
    RollupValues rollup = RollupValues.of(6, 1, 3, 3);
    assertThat(all.histogram(rollup)).isNull();
    rollup.histogram(HistogramCodecs.SKETCH, of);
    byte[] made = all.histogram(rollup);
    computed(A, 0, HOUR, 6, 1, 3, 3);
    comparison.add(VerifyRecord.key(A, 2, floor - 3600), made);
    comparison.add(VerifyRecord.key(A, 2, HOUR), made);
    storedHistogram(A, 2, HOUR, 5, of);
    comparison.add(VerifyRecord.key(A, 2, HOUR + 3600), made);
    storedHistogram(A, 2, HOUR + 3600, 5, sketch(1, 2, 4));
    comparison.add(VerifyRecord.key(A, 2, HOUR + 7200), made);
    storedHistogram(A, 2, HOUR + 7200, 1, of);
    comparison.add(VerifyRecord.key(B, 2, HOUR), made);
    storedHistogram(B, 2, HOUR + 3600, 9, new byte[3]);
    storedHistogram(B, 2, HOUR + 7200, 5, new byte[] {7});
    comparison.add(VerifyRecord.key(B, 2, HOUR + 10_800), made);
    storedHistogram(B, 2, HOUR + 10_800, 5, of);
    storedHistogram(B, 2, HOUR + 10_800, 5, of);
    requireCounts(1, 1, 2, 3);
    assertThat(books.count("1h.histogram", Verdict.EQUAL)).isEqualTo(1);
    assertThat(books.countBelowFloor("1h")).isEqualTo(1);
    assertThat(books.countBelowFloor("1h.histogram")).as("a floor of 1h does not count").isOne();
    assertThat(books.countFurther("1h.histogram")).isEqualTo(6);
    assertThat(books.countFurther("1h")).isZero();
    assertThat(books.isCleanOfFurther()).isTrue();
    String sketch = "a sketch of %s bytes with p50=".formatted(of.length);
    String p50 = "" + Sketch.of(of, 0, of.length).percentile(50);
    String p99 = " p99=" + Sketch.of(of, 0, of.length).percentile(99) + " count=3";
    assertThat(books.samples().get(Verdict.MISSING))
        .containsExactly(
            "metrics1{tagk1=tagv2} 1h.histogram 2025-11-19T01:00:00Z: nothing is stored, raw data"
                + " make "
                + sketch
                + p50
                + p99);
    assertThat(books.samples().get(Verdict.EXTRA))
        .containsExactly(
            "metrics1{tagk1=tagv2} 1h.histogram 2025-11-19T02:00:00Z: stored is a histogram of 3"
                + " bytes of an unknown codec 9, raw data make nothing",
            "metrics1{tagk1=tagv2} 1h.histogram 2025-11-19T03:00:00Z: stored is a histogram of 1"
                + " bytes of io.tsdbsuite.histogram.SketchCodec, which it refuses: sketch, 1 bytes,"
                + " before byte 1: the version must be 1 to 1, found 7, raw data make nothing");
    assertThat(books.samples().get(Verdict.DIFFERENT)).hasSize(3);
    assertThat(books.samples().get(Verdict.DIFFERENT).get(0))
        .startsWith("metrics1{tagk1=tagv1} 1h.histogram 2025-11-19T02:00:00Z: stored is " + sketch)
        .endsWith(", raw data make " + sketch + p50 + p99);
    assertThat(books.samples().get(Verdict.DIFFERENT).get(1))
        .contains(
            "stored is a histogram of %s bytes of net.opentsdb.core.SimpleHistogramDecoder"
                .formatted(of.length));
    assertThat(books.samples().get(Verdict.DIFFERENT).get(2)).contains("in two salt buckets");
  }

  /** Of the level 2, those of 1h: as the plain ones, but for what was taken back. */
  @Test
  void packedRollupsAreComparedBesideThePlainOnes() {
    long floor = HOUR / 86_400 * 86_400;
    comparison =
        new Comparison(
            FOUR,
            List.of("1h", "1d", "1h.packed"),
            text,
            books,
            List.of(new CoverageFloor("1h", "a", floor, "*", "a proof", floor * 1000)),
            null);
    computed(A, 0, HOUR, 3, 1, 2, 2);
    stored(A, 0, HOUR, ALL, 3, 1, 2, 2);
    computed(A, 2, floor - 3600, 3, 1, 2, 2);
    computed(A, 2, HOUR, 3, 1, 2, 2);
    stored(A, 2, HOUR, ALL, 3, 1, 2, 2);
    computed(A, 2, HOUR + 3600, 3, 1, 2, 2);
    stored(A, 2, HOUR + 3600, ALL, 3.5, 1, 2, 2);
    takenBack(A, HOUR + 7200);
    computed(A, 2, HOUR + 10_800, 3, 1, 2, 2);
    takenBack(A, HOUR + 10_800);
    computed(A, 2, HOUR + 14_400, 3, 1, 2, 2);
    stored(A, 2, HOUR + 18_000, ALL, 3, 1, 2, 2);
    requireCounts(2, 2, 1, 1);
    assertThat(books.count("1h", Verdict.EQUAL)).isEqualTo(1);
    assertThat(books.count("1h.packed", Verdict.EQUAL)).isEqualTo(1);
    assertThat(books.countBelowFloor("1h.packed")).as("the table of 1h").isOne();
    assertThat(books.countFurther("1h.packed")).isEqualTo(4);
    assertThat(books.countFurther("1h")).isZero();
    assertThat(books.isCleanOfFurther()).isTrue();
    String series = "metrics1{tagk1=tagv1} 1h.packed 2025-11-19T0";
    String made = "raw data make sum=3.0 min=1.0 max=2.0 count=2";
    assertThat(books.samples().get(Verdict.MISSING))
        .containsExactly(
            series + "4:00:00Z: it was taken back, " + made,
            series + "5:00:00Z: nothing is stored, " + made);
    assertThat(books.samples().get(Verdict.DIFFERENT))
        .containsExactly(series + "2:00:00Z: sum is 3.5, raw data make 3.0");
    assertThat(books.samples().get(Verdict.EXTRA))
        .containsExactly(
            series + "6:00:00Z: stored is sum=3.0 min=1.0 max=2.0 count=2, raw data make nothing");
  }

  private void takenBack(byte[] tsuid, long time) {
    comparison.add(VerifyRecord.key(tsuid, 2, time), VerifyRecord.takenBack());
  }

  @Test
  void aggregatorsHaveTheOrderOfTheSuite() {
    Aggregators all = further(false);
    assertThat(all.names())
        .containsExactly("sum", "min", "max", "count", "p50", "p99", "first", "last");
    assertThat(all.ids()).containsExactly(0, 3, 4, 2, 5, 7, 9, 8);
    assertThat(all.numbers()).hasSize(8).containsEntry("p99", 7);
    assertThat(all.ofInterval("1d")).isEqualTo(ALL | P50 | FIRST | LAST);
    assertThat(all.ofInterval("10m")).isEqualTo(ALL);
    assertThat(all.ofMetric("metrics1", "6h")).isEqualTo(ALL | FIRST | LAST);
    assertThat(all.ofMetric("metrics1", "1d")).as("the first entry counts").isEqualTo(ALL);
    assertThat(all.ofMetric(null, "6h")).isEqualTo(ALL);
    RollupValues rollup = RollupValues.of(3, 1, 2, 2);
    rollup.further(List.of("first", "last"));
    rollup.further(0, 1);
    rollup.further(1, 2);
    byte[] record = all.record(rollup);
    assertThat(record).hasSize(2 + 8 * 8);
    assertThat(VerifyRecord.isStored(record)).isFalse();
    assertThat(VerifyRecord.has(record, 5)).isFalse();
    assertThat(VerifyRecord.has(record, 7)).isTrue();
    assertThat(VerifyRecord.get(record, 7)).isEqualTo(2);
    assertThat(Aggregators.of(config(""), HistogramCodecs.NONE).names()).isEqualTo(FOUR.names());
  }

  /** Of metrics1 first and last of 6h, of metrics2 p99 of 1h. */
  @Test
  void whatAMetricHasIsComparedAndNothingElse() {
    further(false);
    int all = ALL | FIRST | LAST;
    further(A, 1, HOUR, all, 3, 1, 2, 2, 0, 0, 1, 2);
    stored(A, 1, HOUR, all, 3, 1, 2, 2, 0, 0, 1, 2);
    further(A, 1, HOUR + 1, all, 3, 1, 2, 2, 0, 0, 1, 2);
    stored(A, 1, HOUR + 1, all, 3, 1, 2, 2, 0, 0, 1, 2.5);
    further(A, 1, HOUR + 2, all, 3, 1, 2, 2, 0, 0, 1, 2);
    stored(A, 1, HOUR + 2, all & ~FIRST, 3, 1, 2, 2, 0, 0, 1, 2);
    further(A, 1, HOUR + 3, all, 3, 1, 2, 2, 0, 0, 1, 2);
    further(B, 0, HOUR, ALL, 3, 1, 2, 2, 0, 0, 0, 0);
    stored(B, 0, HOUR, ALL | P99, 3, 1, 2, 2, 0, 7, 0, 0);
    further(SECOND, 0, HOUR, ALL | P99, 3, 1, 2, 2, 0, -0.0, 0, 0);
    stored(SECOND, 0, HOUR, ALL | P99, 3, 1, 2, 2, 0, 0.0, 0, 0);
    assertThat(books.isCleanOfFurther()).isFalse();
    requireCounts(3, 1, 0, 2);
    assertThat(books.countFurther("6h")).isEqualTo(2);
    assertThat(books.countFurther("6h.last")).isEqualTo(1);
    assertThat(books.countFurther("6h.first")).isEqualTo(1);
    assertThat(books.countFurther("1h")).isZero();
    assertThat(books.samples().get(Verdict.DIFFERENT))
        .containsExactly(
            "metrics1{tagk1=tagv1} 6h 2025-11-19T01:00:01Z: last is 2.5, raw data make 2.0",
            "metrics1{tagk1=tagv1} 6h 2025-11-19T01:00:02Z: first is not stored, raw data make"
                + " 1.0");
    assertThat(books.samples().get(Verdict.MISSING).get(0))
        .endsWith("raw data make sum=3.0 min=1.0 max=2.0 count=2 first=1.0 last=2.0");
  }

  @Test
  void furtherAggregatorsCountApartIfTheFourAreEqual() {
    further(false);
    int all = ALL | FIRST | LAST;
    further(A, 1, HOUR, all, 3, 1, 2, 2, 0, 0, 1, 2);
    stored(A, 1, HOUR, ALL, 3, 1, 2, 2);
    further(A, 1, HOUR + 1, all, 3, 1, 2, 2, 0, 0, 1, 2);
    stored(A, 1, HOUR + 1, all, 3, 1, 2, 2, 0, 0, 1, 2);
    comparison.finish();
    assertThat(books.isCleanOfFurther()).isTrue();
    assertThat(books.differences())
        .isEqualTo("of 2 rollups 0 are missing, 0 are extra, 1 are different");
    further(A, 1, HOUR + 2, all, 3, 1, 2, 2, 0, 0, 1, 2);
    stored(A, 1, HOUR + 2, all, 3, 1, 2, 3, 0, 0, 1, 3);
    requireCounts(1, 0, 0, 2);
    assertThat(books.isCleanOfFurther()).isFalse();
    VerifyBooks sum = new VerifyBooks();
    sum.add(books);
    assertThat(sum.countFurther("6h")).isEqualTo(1);
    assertThat(sum.countFurther("6h.first")).isEqualTo(1);
    assertThat(sum.countFurther("6h.last")).isEqualTo(1);
  }

  /** Percentiles must be stored; so must first and last, if the narrower rollups have them not. */
  @Test
  void whatCannotBeMadeOfRollupsMustBeStored() {
    further(true);
    int all = ALL | P50 | FIRST | LAST;
    further(THIRD, 1, HOUR, ALL, 3, 1, 2, 2, 0, 0, 0, 0);
    stored(THIRD, 1, HOUR, all, 3, 1, 2, 2, 1, 0, 5, 6);
    further(THIRD, 1, HOUR + 1, ALL, 3, 1, 2, 2, 0, 0, 0, 0);
    stored(THIRD, 1, HOUR + 1, all & ~P50, 3, 1, 2, 2, 1, 0, 5, 6);
    further(THIRD, 1, HOUR + 2, ALL, 3, 1, 2, 2, 0, 0, 0, 0);
    stored(THIRD, 1, HOUR + 2, all, 3, 1, 2, 2, Double.NaN, 0, 5, 6);
    further(THIRD, 1, HOUR + 3, ALL, 3, 1, 2, 2, 0, 0, 0, 0);
    stored(THIRD, 1, HOUR + 3, all & ~LAST, 3, 1, 2, 2, 1, 0, 5, 6);
    requireCounts(1, 0, 0, 3);
    assertThat(books.samples().get(Verdict.DIFFERENT))
        .containsExactly(
            "metrics3{tagk1=tagv1} 1d 2025-11-19T01:00:01Z: p50 is not stored, suite of"
                + " rollup_config.json requires it",
            "metrics3{tagk1=tagv1} 1d 2025-11-19T01:00:02Z: p50 is NaN, suite of"
                + " rollup_config.json requires it",
            "metrics3{tagk1=tagv1} 1d 2025-11-19T01:00:03Z: last is not stored, suite of"
                + " rollup_config.json requires it");
  }

  /** First of firsts, last of lasts. */
  @Test
  void firstAndLastOfRollupsAreCompared() {
    RollupConfig config =
        config("{'metrics':'*','intervals':'6h,1d','aggregators':'p50,first,last'}");
    comparison =
        new Comparison(
            Aggregators.of(config, HistogramCodecs.NONE),
            List.of("6h", "1d"),
            text,
            books,
            List.of(),
            config.interval("6h"));
    int made = ALL | 1 << 5 | 1 << 6;
    int all = made | P50;
    further(A, 1, HOUR, made, 3, 1, 2, 2, 0, 1, 2);
    stored(A, 1, HOUR, all, 3, 1, 2, 2, 9, 1, 2);
    further(A, 1, HOUR + 1, made, 3, 1, 2, 2, 0, 1, 2);
    stored(A, 1, HOUR + 1, all, 3, 1, 2, 2, 9, 2, 2);
    further(A, 1, HOUR + 2, ALL, 3, 1, 2, 2, 0, 1, 2);
    stored(A, 1, HOUR + 2, all, 3, 1, 2, 2, 9, 1, 2);
    requireCounts(1, 0, 0, 2);
    assertThat(books.samples().get(Verdict.DIFFERENT).get(0))
        .endsWith("first is 2.0, the rollups of 6h make 1.0");
    assertThat(books.samples().get(Verdict.DIFFERENT).get(1))
        .endsWith(
            "first is 1.0, the rollups of 6h make none, as one lacks it, last is 2.0, the"
                + " rollups of 6h make none, as one lacks it");
  }

  private void further(byte[] tsuid, int interval, long time, int present, double... values) {
    comparison.add(VerifyRecord.key(tsuid, interval, time), VerifyRecord.computed(present, values));
  }

  private static String interval(String interval, String span, boolean isDefault) {
    return "{'table':'t%s','preAggregationTable':'t%s','interval':'%s','rowSpan':'%s','defaultInterval':%s}"
        .formatted(interval, interval, interval, span, isDefault)
        .replace('\'', '"');
  }

  /** Sums of the same points in another order differ in their last digits. */
  @Test
  void sumsOfSumsHaveAnError() throws IOException {
    compareWith();
    double sum = 1234.5;
    double[] sums = {
      sum * (1 + 9e-10),
      sum * (1 - 9e-10),
      -sum,
      sum * (1 + 1e-6),
      Double.POSITIVE_INFINITY,
      Double.NaN
    };
    int hour = 0;
    for (double stored : sums) {
      computed(A, 1, HOUR + hour, sum, 1, 2, 2);
      stored(A, 1, HOUR + hour, ALL, stored, 1, 2, 2);
      hour += 3600;
    }
    computed(A, 1, HOUR + hour, Double.NEGATIVE_INFINITY, 1, 2, 2);
    stored(A, 1, HOUR + hour, ALL, Double.NEGATIVE_INFINITY, 1, 2, 2);
    for (int i = 1; i < 4; i++) {
      double[] values = {sum, 1, 2, 2};
      values[i] = Math.nextUp(values[i]);
      computed(B, 1, HOUR + 3600L * i, sum, 1, 2, 2);
      stored(B, 1, HOUR + 3600L * i, ALL, values);
    }
    requireCounts(3, 0, 0, 7);
    assertThat(books.samples().get(Verdict.DIFFERENT).toString())
        .contains("sum is -1234.5, the rollups of 6h make 1234.5");
  }

  /** Of points that cancel only the rounding is left. */
  @Test
  void sumsNearZeroHaveTheErrorOfTheirPoints() throws IOException {
    compareWith();
    double[] sums = {3.1e-14, -2e-14, 2e-13, Double.POSITIVE_INFINITY};
    int hour = 0;
    for (double stored : sums) {
      computed(A, 1, HOUR + hour, 2.7e-14, -0.1, 0.1, 100);
      stored(A, 1, HOUR + hour, ALL, stored, -0.1, 0.1, 100);
      hour += 3600;
    }
    requireCounts(2, 0, 0, 2);
  }

  @Test
  void rawDataMakeExactSums() {
    computed(A, 1, HOUR, 1234.5, 1, 2, 2);
    stored(A, 1, HOUR, ALL, Math.nextUp(1234.5), 1, 2, 2);
    requireCounts(0, 0, 0, 1);
  }

  /** One of its parts lacks the value, or there are two rows of the series. */
  @Test
  void partsMustBeWhole() throws IOException {
    compareWith();
    comparison.add(VerifyRecord.key(A, 1, HOUR), VerifyRecord.computed(0x7, 3, 1, 2, 1));
    stored(A, 1, HOUR, ALL, 3, 1, 2, 1);
    computed(B, 1, HOUR, 3, 1, 2, 2);
    computed(B, 1, HOUR, 3, 1, 2, 2);
    stored(B, 1, HOUR, ALL, 3, 1, 2, 2);
    requireCounts(0, 0, 0, 2);
    assertThat(books.samples().get(Verdict.DIFFERENT).toString())
        .contains("count is 1, the rollups of 6h make none, as one lacks it", "two salt buckets");
  }

  /** The floor of the source counts, by the begin of its rows: here months. */
  @Test
  void rowsBelowTheFloorOfTheSourceAreNotCompared() throws IOException {
    long day = 86_400;
    long first = LocalDate.parse("2025-11-01").toEpochDay() * day;
    compareWith(
        new CoverageFloor("raw", "a", first + 300 * day, "*", "a proof", 1),
        new CoverageFloor("6h", "a", first + 10 * day, "*", "a proof", 1));
    stored(A, 1, first + 20 * day, ALL, 3, 1, 2, 2);
    computed(A, 1, first + 30 * day, 3, 1, 2, 2);
    requireCounts(0, 1, 0, 0);
    assertThat(books.countBelowFloor("1d")).isEqualTo(1);
  }

  @Test
  void keysKeepTheirParts() {
    byte[] key = VerifyRecord.key(B, 1, 0xfffffff0L);
    assertThat(VerifyRecord.tsuid(key)).isEqualTo(B);
    assertThat(VerifyRecord.interval(key)).isEqualTo(1);
    assertThat(VerifyRecord.time(key)).isEqualTo(0xfffffff0L);
  }
}
