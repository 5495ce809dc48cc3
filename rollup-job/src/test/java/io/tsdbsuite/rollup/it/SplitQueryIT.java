package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.rollup.it.SplitData.Bucket;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a TSD 2.4.1 answers when it splits queries into rollups and raw data: the facts of
 * docs/queries.md. Rows of a day, the split point half past ten of one.
 */
class SplitQueryIT {
  private static final double SPLIT = 10.5;

  /** The queries' range: from the row of the split point into the next one. */
  private static final long FROM = 6;

  private static final long TO = 28;
  private static final long ROW_END = 24;

  private static SplitData data;
  private static TsdServer server;
  private static TsdClient tsd;

  @BeforeAll
  static void write() throws Exception {
    long today = LocalDate.now(ZoneOffset.UTC).toEpochDay() * SplitData.DAY;
    data = new SplitData(SharedStack.get(), "split", "1h", "1d", today - 2 * SplitData.DAY);
    server = data.tsd("split", SPLIT);
    tsd = server.client();
    // How far the rollups reach: two buckets short, to the split point, over it, two rows on.
    Map<String, Long> rollups = new LinkedHashMap<>();
    rollups.put("late", 8L);
    rollups.put("held", 10L);
    rollups.put("edge", 11L);
    rollups.put("ahead", 48L);
    for (Map.Entry<String, Long> metric : rollups.entrySet()) {
      data.putRaw(tsd, metric.getKey(), -24, 48);
      data.putRollups(tsd, metric.getKey(), -24, metric.getValue(), 1);
    }
    data.putRaw(tsd, "raw.only", -24, 48);
    data.awaitBuckets(tsd, data.bySeries("ahead", "1h-sum"), FROM, TO, 18 + 18);
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  private static List<Bucket> hourly(TsdClient client, String metric, long from, long to) {
    JsonNode answer = data.ask(client, data.bySeries(metric, "1h-sum"), from, to);
    assertThat(answer).as("one answer for each series").hasSize(2);
    assertThat(data.buckets(answer.get(0))).isEqualTo(data.buckets(answer.get(1)));
    return data.buckets(answer.get(0));
  }

  private static List<Bucket> hourly(String metric) {
    return hourly(tsd, metric, FROM, TO);
  }

  /** Rollups from the first hour to the second, raw buckets from the third to the fourth. */
  private static List<Bucket> chain(long rollup, long rollupEnd, long raw, long rawEnd) {
    List<Bucket> chain = new ArrayList<>();
    LongStream.range(rollup, rollupEnd)
        .forEach(hour -> chain.add(new Bucket(hour, SplitData.ROLLUP)));
    LongStream.range(raw, rawEnd).forEach(hour -> chain.add(new Bucket(hour, SplitData.RAW)));
    return chain;
  }

  /** What a client sees that keeps the last value of each time. */
  private static Map<Long, Double> lastWins(List<Bucket> buckets) {
    Map<Long, Double> values = new TreeMap<>();
    buckets.forEach(bucket -> values.put(bucket.hour(), bucket.value()));
    return values;
  }

  private static int twice(List<Bucket> buckets) {
    return buckets.size() - lastWins(buckets).size();
  }

  private static void fails(ThrowingCallable query, String message) {
    assertThatThrownBy(query)
        .isInstanceOfSatisfying(TsdException.class, e -> assertThat(e.status()).isEqualTo(400))
        .hasMessageContaining(message);
  }

  @Test
  void withRollupsUpToTheSplitPointNothingIsTwiceOrMissing() {
    assertThat(hourly("held")).isEqualTo(chain(FROM, 10, 10, TO));
  }

  @Test
  void rollupsThatComeLateLeaveAHole() {
    assertThat(hourly("late")).isEqualTo(chain(FROM, 8, 10, TO));
  }

  @Test
  void theBucketOfTheSplitPointShowsTwice() {
    assertThat(hourly("edge")).isEqualTo(chain(FROM, 11, 10, TO));
  }

  @Test
  void newerRollupsShowTwiceToTheEndOfTheRow() {
    List<Bucket> buckets = hourly("ahead");
    assertThat(buckets).isEqualTo(chain(FROM, ROW_END, 10, TO));
    assertThat(twice(buckets)).isEqualTo(14);
    assertThat(lastWins(buckets)).isEqualTo(lastWins(hourly("held")));
  }

  @Test
  void atMostOneRowShowsTwice() throws Exception {
    TsdServer early = data.tsd("split-early", 0.5);
    List<Bucket> buckets = hourly(early.client(), "ahead", -3, 40);
    early.stop();
    assertThat(buckets).isEqualTo(chain(-3, ROW_END, 0, 40));
    assertThat(twice(buckets)).isEqualTo(24);
    TsdServer late = data.tsd("split-late", 23.5);
    buckets = hourly(late.client(), "ahead", -3, 40);
    late.stop();
    assertThat(buckets).isEqualTo(chain(-3, ROW_END, 23, 40));
    assertThat(twice(buckets)).isEqualTo(1);
  }

  /** The TSD counts 32 days to a month: late in a month its scan takes the next row too. */
  @Test
  void rowsOfAMonthShowUpToTwoRowsTwice() throws Exception {
    long month = LocalDate.now(ZoneOffset.UTC).withDayOfMonth(1).toEpochDay() * SplitData.DAY;
    SplitData months = new SplitData(SharedStack.get(), "split-month", "6h", "1n", month);
    TsdServer last = months.tsd("split-month", -13.5);
    months.putRaw(last.client(), "m", -48, 72);
    months.putRollups(last.client(), "m", -48, 72, 6);
    // Rollups of all 120 hours, raw buckets of 90.
    months.awaitBuckets(last.client(), months.bySeries("m", "6h-sum"), -48, 72, 20 + 15);
    JsonNode answer = months.ask(last.client(), months.bySeries("m", "6h-sum"), -48, 72);
    last.stop();
    assertThat(twice(months.buckets(answer.get(0)))).as("from -18 to 72, by 6").isEqualTo(15);
  }

  @Test
  void outsideTheSplitNothingChanges() {
    assertThat(hourly(tsd, "ahead", -12, 10)).isEqualTo(chain(-12, 10, 0, 0));
    assertThat(hourly(tsd, "ahead", 11, TO)).isEqualTo(chain(0, 0, 11, TO));
  }

  @Test
  void aWiderBucketAtTheSplitPointIsPartOfARollupAndThenWholeFromRawData() {
    JsonNode answer = data.ask(tsd, data.bySeries("held", "6h-sum"), 0, 24);
    assertThat(data.buckets(answer.get(0)))
        .containsExactly(
            new Bucket(0, 6 * SplitData.ROLLUP),
            new Bucket(6, 4 * SplitData.ROLLUP),
            new Bucket(6, 6 * SplitData.RAW),
            new Bucket(12, 6 * SplitData.RAW),
            new Bucket(18, 6 * SplitData.RAW));
  }

  @Test
  void fillPoliciesFillTheRowAfterTheRollups() {
    JsonNode answer = data.ask(tsd, data.bySeries("held", "1h-sum-zero"), FROM, TO);
    List<Bucket> buckets = data.buckets(answer.get(0));
    assertThat(twice(buckets)).isEqualTo(14);
    assertThat(buckets.subList(4, 18)).allMatch(bucket -> bucket.value() == 0);
    assertThat(lastWins(buckets)).isEqualTo(lastWins(hourly("held")));
  }

  @Test
  void aggregatorNoneFailsEvenWhereOnlyRawDataIsAsked() {
    ObjectNode none = data.query("held", "none", "1h-sum");
    fails(() -> data.ask(tsd, none, FROM, TO), "because \"a\" is null");
    fails(() -> data.ask(tsd, none, 11, TO), "because \"a\" is null");
    assertThat(data.ask(tsd, none, FROM, 10)).as("ends before the split point").hasSize(2);
    // Instead: grouped by every tag key, as hourly does, or raw data.
    assertThat(hourly("held")).isEqualTo(chain(FROM, 10, 10, TO));
    JsonNode raw = data.ask(tsd, none.put("rollupUsage", "ROLLUP_RAW"), FROM, TO);
    assertThat(data.buckets(raw.get(0))).isEqualTo(chain(0, 0, FROM, TO));
  }

  @Test
  void histogramsFailUnlessRaw() {
    for (long hour = 0; hour < TO; hour++) {
      tsd.putHistogram(
          "histogram",
          data.row + hour * SplitData.HOUR + 60,
          Map.of("0,10", 3L),
          Map.of("host", "a"));
    }
    ObjectNode query = data.query("histogram", "sum", "1h-sum");
    query.putArray("percentiles").add(99);
    fails(() -> data.ask(tsd, query, FROM, TO), "Only SpanGroups implemented");
    JsonNode raw = data.ask(tsd, query.put("rollupUsage", "ROLLUP_RAW"), FROM, TO);
    assertThat(data.buckets(raw.get(0))).hasSize((int) (TO - FROM));
  }

  @Test
  void aFunctionWithoutRollupsFailsUnlessRaw() {
    ObjectNode query = data.query("held", "sum", "1h-median");
    fails(() -> data.ask(tsd, query, FROM, TO), "No ID found mapping to aggregator: median");
    assertThat(data.ask(tsd, query.put("rollupUsage", "ROLLUP_RAW"), FROM, TO)).hasSize(1);
  }

  @Test
  void tagListsAndTsuidsAreConcatenated() {
    JsonNode answer = data.ask(tsd, data.query("held", "sum", "1h-sum"), FROM, TO).get(0);
    assertThat(answer.get("aggregateTags")).hasSize(2).allMatch(tag -> "host".equals(tag.asText()));
    assertThat(answer.get("tsuids")).hasSize(4);
    assertThat(answer.get("tsuids").get(0)).isEqualTo(answer.get("tsuids").get(1));
  }

  @Test
  void aRateHasNoValueAtTheSplitPointUnlessTheRollupsReachOverIt() {
    List<Long> hours = rateHours("held");
    assertThat(hours).hasSize((int) (TO - FROM) - 1).doesNotContain(10L);
    assertThat(rateHours("edge")).isEqualTo(LongStream.range(FROM, TO).boxed().toList());
  }

  private static List<Long> rateHours(String metric) {
    ObjectNode rate = data.bySeries(metric, "1h-sum").put("rate", true);
    return data.buckets(data.ask(tsd, rate, FROM, TO).get(0)).stream().map(Bucket::hour).toList();
  }

  @Test
  void expressionsWalkOverTheRowTwice() throws Exception {
    String window = "start=" + time(FROM) + "&end=" + (time(TO) - 2);
    String average = "movingAverage(sum:1h-sum:%s%%7Bhost=a%%7D,%%274h%%27)";
    List<Bucket> held = gexp(window, String.format(average, "held"));
    List<Bucket> ahead = gexp(window, String.format(average, "ahead"));
    assertThat(twice(held)).isZero();
    assertThat(twice(ahead)).isEqualTo(14);
    assertThat(ahead.subList(18, 22))
        .as("time went backwards, the window is empty again")
        .allMatch(bucket -> bucket.value() == 0);
    assertThat(twice(gexp(window, "highestMax(sum:1h-sum:ahead%7Bhost=*%7D,1)"))).isEqualTo(14);
    assertThat(expRows("held")).isEqualTo((int) (TO - FROM));
    assertThat(expRows("ahead")).isEqualTo((int) (TO - FROM) + 14);
  }

  private static List<Bucket> gexp(String window, String expression) {
    return data.buckets(tsd.get("api/query/gexp?arrays&" + window + "&exp=" + expression).get(0));
  }

  private static int expRows(String metric) throws Exception {
    String body =
        "{'time':{'start':'%d','end':'%d','aggregator':'sum',"
            + "'downsampler':{'interval':'1h','aggregator':'sum'}},"
            + "'filters':[{'id':'f','tags':[{'type':'wildcard','tagk':'host','filter':'*',"
            + "'groupBy':true}]}],"
            + "'metrics':[{'id':'a','metric':'%s','filter':'f','fillPolicy':{'policy':'nan'}}],"
            + "'expressions':[{'id':'e','expr':'a*10'}],'outputs':[{'id':'e','alias':'e'}]}";
    String text = String.format(body, time(FROM), time(TO) - 2, metric).replace('\'', '"');
    return tsd.post("api/query/exp", new ObjectMapper().readTree(text)).at("/outputs/0/dps").size();
  }

  private static long time(long hour) {
    return data.row + hour * SplitData.HOUR;
  }

  @Test
  void fallbackAnswersTheOldPartInTheIntervalOfTheTable() {
    for (String usage : List.of("ROLLUP_FALLBACK", "ROLLUP_FALLBACK_RAW")) {
      ObjectNode query = data.bySeries("raw.only", "2h-sum").put("rollupUsage", usage);
      List<Bucket> buckets = data.buckets(data.ask(tsd, query, FROM, 14).get(0));
      List<Bucket> expected = new ArrayList<>(chain(0, 0, FROM, 11));
      expected.add(new Bucket(10, 2 * SplitData.RAW));
      expected.add(new Bucket(12, 2 * SplitData.RAW));
      assertThat(buckets).as(usage).isEqualTo(expected);
    }
    ObjectNode query = data.bySeries("raw.only", "2h-sum");
    assertThat(data.buckets(data.ask(tsd, query, FROM, 14).get(0)))
        .as("without a fallback")
        .containsExactly(new Bucket(10, 2 * SplitData.RAW), new Bucket(12, 2 * SplitData.RAW));
  }
}
