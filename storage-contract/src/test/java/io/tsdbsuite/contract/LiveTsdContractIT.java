package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.contract.RowReader.Nothing;
import io.tsdbsuite.contract.RowReader.Read;
import io.tsdbsuite.contract.RowReader.Reading;
import io.tsdbsuite.contract.RowReader.Refused;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.CellProblem;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Generated rows in a real HBase, aggregated by storage-format and by a real TSD. OpenTSDB's own
 * classes in this JVM determine beforehand which rows a query rejects. Such a row fails the query
 * for all series of its metric, so each has its own metric.
 */
class LiveTsdContractIT {
  private static final int SHARED_METRICS = 4;
  private static final int MARKED_ROWS = 150;
  private static final int LARGE_ROWS = 3;
  private static final int ROWS_PER_CORRUPTION = 5;
  private static final int ROWS_TO_SEARCH = 20_000;

  /** With salt and wide UIDs, to test keys too. */
  private static final Map<String, String> SALTED =
      Map.of(
          "tsd.storage.salt.width", "1",
          "tsd.storage.salt.buckets", "20",
          "tsd.storage.uid.width.metric", "4",
          "tsd.storage.uid.width.tagv", "5");

  private static final String ROLLUPS =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
       {"table":"rollup","preAggregationTable":"rollup-pre","interval":"1m","rowSpan":"1h",
        "defaultInterval":true},
       {"table":"rollup-10m","preAggregationTable":"rollup-pre","interval":"10m","rowSpan":"6h"},
       {"table":"rollup-1h","preAggregationTable":"rollup-pre","interval":"1h","rowSpan":"1d"},
       {"table":"rollup-2h","preAggregationTable":"rollup-pre","interval":"2h","rowSpan":"1n"},
       {"table":"rollup-1d","preAggregationTable":"rollup-pre","interval":"1d","rowSpan":"1y"}]}
      """
          .replace("\n", "");

  private static final String REFUSED = "refused";
  private static final String NOTHING = "nothing";

  private static Stack stack;

  @BeforeAll
  static void start() {
    stack = Stack.in(WorkDirs.fresh("LiveTsdContractIT")).hbase().start();
  }

  @AfterAll
  static void close() {
    stack.close();
  }

  /** A row, its location in the table, and its readings in this JVM. */
  private record Case(int number, String metric, GeneratedRow row, Reading ours, Reading judge) {
    boolean readByBoth() {
      return ours instanceof Read && judge instanceof Read;
    }

    RollupKey key() {
      return new RollupKey(metric, LiveTsd.tags(number), row.baseTime());
    }

    @Override
    public String toString() {
      return Seed.describe(number) + row;
    }
  }

  @ParameterizedTest
  @EnumSource
  void rowsAreReadAlike(DuplicateRule rule) throws Exception {
    Map<String, String> conf = new HashMap<>(rule.configuration());
    if (rule == DuplicateRule.REFUSE) {
      conf.putAll(SALTED);
    }
    LiveTsd tsd = new LiveTsd(stack, rule.name().toLowerCase(Locale.ROOT), conf);
    List<GeneratedRow> rows = rows(rule);
    if (rule.isDateTiered()) {
      rows.addAll(wronglyMarked(rule));
      rows.replaceAll(GeneratedRow::stampedInHour);
    }
    List<Case> cases = cases(rows, rule, tsd);
    put(cases, tsd);

    SortedMap<String, List<Case>> shared = new TreeMap<>();
    int refused = 0;
    int lost = 0;
    for (Case one : cases) {
      if (one.readByBoth()) {
        shared.computeIfAbsent(one.metric(), m -> new ArrayList<>()).add(one);
        continue;
      }
      String refusal = tsd.refusal(one.metric(), one.row().baseTime());
      assertThat(refusal).as("the TSD's refusal of %s", one).isNotNull();
      assertThat(one.judge()).as("%s", one).isInstanceOf(Refused.class);
      if (one.ours() instanceof Refused) {
        refused++;
      } else {
        // See wronglyMarked.
        assertThat(rule.isDateTiered()).as("%s", one).isTrue();
        assertThat(refusal).as("%s", one).contains("out of bounds");
        lost++;
      }
    }
    for (Map.Entry<String, List<Case>> metric : shared.entrySet()) {
      compare(metric.getKey(), metric.getValue(), tsd);
    }
    int read = cases.size() - refused - lost;
    System.out.printf(
        "%s, live: %d rows read alike, %d refused by both, %d by the TSD for its own wrong mark%n",
        rule, read, refused, lost);
    assertThat(read).isGreaterThan(cases.size() / 2);
  }

  private static List<GeneratedRow> rows(DuplicateRule rule) {
    List<GeneratedRow> rows = new ArrayList<>();
    RowGenerator generator = new RowGenerator(Seed.VALUE + rule.name().hashCode());
    int good = rule.isDateTiered() ? 400 : 900;
    for (int i = 0; i < good; i++) {
      rows.add(generator.good());
    }
    SpecialRows special = new SpecialRows(Seed.VALUE + rule.name().hashCode());
    for (int i = 0; i < MARKED_ROWS; i++) {
      rows.add(special.markedAsAppend());
    }
    for (int i = 0; i < LARGE_ROWS; i++) {
      rows.add(special.large());
    }
    return rows;
  }

  /** The few rows that a TSD cannot read because of its own wrong mark (docs/storage.md 11). */
  private static List<GeneratedRow> wronglyMarked(DuplicateRule rule) throws Exception {
    RowReader subject = new FormatRowReader(rule.schema());
    RowReader judge = new RealRowReader(rule.realRows());
    RowGenerator generator = new RowGenerator(Seed.VALUE);
    List<GeneratedRow> rows = new ArrayList<>();
    for (int i = 0; i < ROWS_TO_SEARCH; i++) {
      GeneratedRow row = generator.good();
      if (judge.read(row) instanceof Refused && subject.read(row) instanceof Read) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static List<Case> cases(List<GeneratedRow> rows, DuplicateRule rule, LiveTsd tsd)
      throws Exception {
    RowReader subject = new FormatRowReader(tsd.schema());
    RowReader judge = new RealRowReader(rule.realRows());
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      GeneratedRow row = rows.get(i);
      Reading ours = subject.read(row);
      Reading real = judge.read(row);
      boolean both = ours instanceof Read && real instanceof Read;
      String metric = both ? "read." + i % SHARED_METRICS : "alone." + i;
      cases.add(new Case(i, metric, row, ours, real));
    }
    return cases;
  }

  private static void put(List<Case> cases, LiveTsd tsd) throws Exception {
    tsd.assign(cases.stream().map(Case::metric).distinct().toList());
    for (Case one : cases) {
      tsd.add(one.metric(), one.number(), one.row());
    }
    tsd.write();
  }

  /** Compares every series and hour of a metric: none missing, none extra, the same numbers. */
  private static void compare(String metric, List<Case> cases, LiveTsd tsd) {
    long from = cases.stream().mapToLong(one -> one.row().baseTime()).min().orElseThrow();
    long to = cases.stream().mapToLong(one -> one.row().baseTime()).max().orElseThrow() + 3600;
    Map<RollupKey, RollupValues> answers;
    try {
      answers = new HashMap<>(tsd.hours(metric, from, to));
    } catch (TsdException e) {
      for (Case one : cases) {
        String refusal = tsd.refusal(metric, one.number(), one.row().baseTime());
        assertThat(refusal).as("only the TSD refuses %s", one).isNull();
      }
      throw e;
    }
    for (Case one : cases) {
      RollupValues answer = answers.remove(one.key());
      assertThat(answer).as("the TSD's answer for %s", one).isNotNull();
      assertThat(answer.agreesWith(values((Read) one.ours())))
          .as("%s%nTSD %s, subject %s", one, answer, one.ours())
          .isTrue();
    }
    assertThat(answers).as("answers for %s to no row of it", metric).isEmpty();
  }

  private static RollupValues values(Read read) {
    return new RollupValues(read.sum(), read.min(), read.max(), (long) read.count());
  }

  @Test
  void corruptRows() throws Exception {
    DuplicateRule rule = DuplicateRule.NEWEST;
    LiveTsd tsd = new LiveTsd(stack, "flawed", rule.configuration());
    List<GeneratedRow> rows = new ArrayList<>();
    for (Corruption corruption : Corruption.values()) {
      RowGenerator generator = new RowGenerator(Seed.VALUE + corruption.name().hashCode());
      for (int i = 0; i < ROWS_PER_CORRUPTION; i++) {
        rows.add(generator.corrupted(corruption));
      }
    }
    List<Case> cases = new ArrayList<>();
    for (Case one : cases(rows, rule, tsd)) {
      cases.add(
          new Case(one.number(), "flawed." + one.number(), one.row(), one.ours(), one.judge()));
    }
    put(cases, tsd);
    Map<Corruption, Integer> answered = new EnumMap<>(Corruption.class);
    for (Case one : cases) {
      CellProblem problem = one.row().corruption().problem();
      if (problem != null) {
        assertThat(one.ours())
            .as("%s", one)
            .isInstanceOfSatisfying(
                Refused.class, refused -> assertThat(refused.problem()).isEqualTo(problem));
      }
      String live = verdict(one, tsd);
      assertThat(live).as("the TSD's verdict on %s", one).isEqualTo(verdict(one.judge()));
      answered.merge(one.row().corruption(), live.equals(REFUSED) ? 0 : 1, Integer::sum);
    }
    System.out.printf("of %d rows each, answered by the TSD: %s%n", ROWS_PER_CORRUPTION, answered);
  }

  /** The result of a query for the row's hour: numbers, nothing, or an error. */
  private static String verdict(Case one, LiveTsd tsd) {
    long hour = one.row().baseTime();
    try {
      SortedMap<RollupKey, RollupValues> answers = tsd.hours(one.metric(), hour, hour + 3600);
      assertThat(answers.keySet()).as("%s", one).isSubsetOf(one.key());
      return answers.isEmpty() ? NOTHING : answers.get(one.key()).toString();
    } catch (TsdException e) {
      return REFUSED;
    }
  }

  private static String verdict(Reading reading) {
    if (reading instanceof Read read) {
      return values(read).toString();
    }
    // All points are in another hour.
    boolean elsewhere =
        reading instanceof Refused refused && refused.message().endsWith("no bucket");
    return elsewhere || reading instanceof Nothing ? NOTHING : REFUSED;
  }

  /**
   * If one instant has points in different batches of a large row, the TSD uses the point of the
   * earlier batch. The rule for all other rows is the newest point, which storage-format uses.
   */
  @Test
  void duplicatesInLargeRows() throws Exception {
    LiveTsd tsd = new LiveTsd(stack, "pieces", DuplicateRule.NEWEST.configuration());
    List<GeneratedCell> cells = new ArrayList<>();
    int many = SpecialRows.SCANNER_CELLS + 10;
    cells.add(cell(new RawPoint(many * 1000 / 2, false, false, new byte[] {1}), 1));
    for (int i = 1; i <= many; i++) {
      cells.add(cell(new RawPoint(i * 500, true, false, new byte[] {2}), 2));
    }
    GeneratedRow row = new GeneratedRow(1_600_041_600L, cells, null, "duplicate in a large row");
    tsd.assign(List.of("pieces"));
    tsd.add("pieces", 0, row);
    tsd.write();

    Read ours = (Read) new FormatRowReader(tsd.schema()).read(row);
    assertThat(values(ours)).isEqualTo(new RollupValues(2 * many, 2, 2, many));
    assertThat(tsd.hours("pieces", row.baseTime(), row.baseTime() + 3600).values())
        .containsExactly(new RollupValues(2 * many - 1, 1, 2, many));
  }

  private static GeneratedCell cell(RawPoint point, int newer) {
    return new GeneratedCell(point.qualifier(), point.value(), 1_700_000_000_000L + newer);
  }

  @Test
  void rollups() throws Exception {
    Map<String, String> conf = new HashMap<>(SALTED);
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", ROLLUPS);
    LiveTsd tsd = new LiveTsd(stack, "rollup", conf);
    tsd.assign(List.of("rolled.up"));
    LiveRollups rollups = new LiveRollups(tsd, RollupConfig.parse(ROLLUPS), "rolled.up");
    int points = 0;
    for (RollupInterval interval : rollups.intervals()) {
      points += rollups.writeAndCompare(interval);
    }
    System.out.printf("%d rollup points answered as they were encoded%n", points);
  }
}
