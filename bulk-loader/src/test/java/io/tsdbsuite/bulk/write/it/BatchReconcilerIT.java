package io.tsdbsuite.bulk.write.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TableDigest;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of which the table has points already, of every kind that TSDs make. */
class BatchReconcilerIT {
  private static final long BASE = Installation.BASE;
  private static final HexFormat HEX = HexFormat.of();

  private static Installation strict;
  private static Installation fixing;
  private static Installation appending;
  private static Installation dated;

  /** Of each of them, a TSD that lets the last of two values win. */
  private static final Map<String, TsdServer> OTHERS = new HashMap<>();

  @BeforeAll
  static void startTsds() throws IOException {
    strict = Installation.start("strict");
    fixing = Installation.start("fixing", "tsd.storage.fix_duplicates", "true");
    appending = Installation.start("appending", "tsd.storage.enable_appends", "true");
    dated = Installation.start("dated", "tsd.storage.use_otsdb_timestamp", "true");
  }

  @AfterAll
  static void stopOthers() {
    OTHERS.values().forEach(TsdServer::stop);
  }

  private static Installation of(String name) {
    return switch (name) {
      case "strict" -> strict;
      case "fixing" -> fixing;
      case "appending" -> appending;
      default -> dated;
    };
  }

  private static SortedMap<Long, Double> answer(Object... secondsAndValues) {
    SortedMap<Long, Double> answer = new TreeMap<>();
    for (int i = 0; i < secondsAndValues.length; i += 2) {
      answer.put(
          (BASE + (int) secondsAndValues[i]) * 1000,
          ((Number) secondsAndValues[i + 1]).doubleValue());
    }
    return answer;
  }

  /** Points 0 to 3 stored by the TSD itself. */
  private static void store(Installation in, String metric, boolean compact) {
    for (int second = 0; second < 4; second++) {
      in.put(metric, "a", BASE + second, (long) second);
    }
    if (compact) {
      compact(in, metric);
    }
  }

  private static int number;

  private static void compact(Installation in, String metric) {
    TsdServer compacting =
        in.another("-compact-" + number++, "tsd.storage.enable_compaction", "true");
    in.ask(compacting, metric, "a", BASE, BASE + 3600);
    Await.until(
        "the TSD's compaction",
        Duration.ofMinutes(1),
        () -> in.cells(in.key(metric, "a", BASE)).size() == 1);
    compacting.stop();
  }

  @ParameterizedTest
  @CsvSource({
    "strict, false, false",
    "strict, true, false",
    "strict, false, true",
    "strict, true, true",
    "fixing, false, false",
    "fixing, true, true",
    "appending, false, false",
    "appending, false, true",
    "dated, false, false",
    "dated, true, true"
  })
  void newInstantsGoIntoOneMoreCell(String kind, boolean compacted, boolean hfiles)
      throws IOException {
    Installation in = of(kind);
    String metric = "new." + kind + compacted + hfiles;
    store(in, metric, compacted);
    byte[] key = in.key(metric, "a", BASE);
    int before = in.cells(key).size();

    Hour hour = Hour.of(in, metric, "a", 0).second(2, 2).second(3, 3).second(4, 4).second(9, 9.5);
    Tally tally = new Loading(in).hfiles(hfiles).run(hour);

    assertThat(tally.get(Count.ALREADY_STORED)).isEqualTo(2);
    assertThat(tally.get(Count.POINTS_WRITTEN)).isEqualTo(2);
    assertThat(tally.get(Count.ROWS_MERGED)).isEqualTo(1);
    assertThat(in.cells(key)).hasSize(before + 1);
    assertThat(in.ask(metric, "a")).isEqualTo(answer(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 9, 9.5));

    TableDigest digest = in.hbase().digest(in.table());
    Tally again = new Loading(in).hfiles(hfiles).run(hour);
    assertThat(again.get(Count.ALREADY_STORED)).isEqualTo(4);
    assertThat(in.hbase().digest(in.table())).isEqualTo(digest);
  }

  @ParameterizedTest
  @CsvSource({
    "strict, false, LAST",
    "strict, true, LAST",
    "fixing, false, LAST",
    "fixing, true, LAST",
    "appending, false, LAST",
    "dated, false, LAST",
    "dated, true, LAST",
    "strict, false, FIRST",
    "strict, true, FIRST",
    "appending, false, FIRST",
    "dated, false, FIRST",
    "strict, false, MAX",
    "strict, true, MAX",
    "fixing, false, MAX",
    "appending, false, MAX",
    "dated, true, MAX"
  })
  void conflictsAreSettledForEveryReader(String kind, boolean compacted, OnConflict policy)
      throws IOException {
    Installation in = of(kind);
    String metric = "conflict." + kind + compacted + policy;
    store(in, metric, compacted);
    in.tsd.client().putAnnotation(in.tsuid(metric, "a"), BASE + 1, "stays");

    Hour hour = Hour.of(in, metric, "a", 0).second(0, 0).second(1, -5).second(2, 300).second(7, 7);
    Tally tally = new Loading(in).onConflict(policy).run(hour);

    SortedMap<Long, Double> expected =
        switch (policy) {
          case LAST -> answer(0, 0, 1, -5, 2, 300, 3, 3, 7, 7);
          case MAX -> answer(0, 0, 1, 1, 2, 300, 3, 3, 7, 7);
          default -> answer(0, 0, 1, 1, 2, 2, 3, 3, 7, 7);
        };
    int replaced = policy == OnConflict.LAST ? 2 : policy == OnConflict.MAX ? 1 : 0;
    assertThat(tally.get(Count.STORED_REPLACED)).isEqualTo(replaced);
    assertThat(tally.get(Count.SUPERSEDED_BY_STORED)).isEqualTo(2 - replaced);
    assertThat(tally.get(Count.ALREADY_STORED)).isEqualTo(1);
    assertThat(tally.get(Count.POINTS_WRITTEN)).isEqualTo(1 + replaced);
    assertThat(in.ask(metric, "a")).isEqualTo(expected);
    TsdServer other =
        OTHERS.computeIfAbsent(
            kind, unused -> in.another("-other", "tsd.storage.fix_duplicates", "true"));
    assertThat(in.ask(other, metric, "a", BASE, BASE + 3600)).isEqualTo(expected);
    List<RawCell> cells = in.cells(in.key(metric, "a", BASE));
    assertThat(cells).anyMatch(c -> c.qualifier()[0] == 1 && c.qualifier().length == 3);
    if (kind.equals("appending")) {
      assertThat(cells).anyMatch(c -> HEX.formatHex(c.qualifier()).equals("050000"));
    }

    TableDigest digest = in.hbase().digest(in.table());
    assertThat(new Loading(in).onConflict(policy).run(hour).get(Count.POINTS_WRITTEN)).isZero();
    assertThat(in.hbase().digest(in.table())).isEqualTo(digest);

    in.put(metric, "a", BASE + 8, 8L);
    expected.put((BASE + 8) * 1000, 8.0);
    assertThat(in.ask(metric, "a")).isEqualTo(expected);
    in.hbase().majorCompact(in.table());
    assertThat(in.ask(metric, "a")).isEqualTo(expected);
  }

  /** A delete of one version only would bring the value before it back. */
  @Test
  void olderVersionsOfReplacedCellsStayHidden() throws IOException {
    Installation in = strict;
    in.put("versions", "a", BASE + 1, 1L);
    in.put("versions", "a", BASE + 1, 2L);
    in.put("versions", "a", BASE + 2, 2L);
    new Loading(in).onConflict(OnConflict.LAST).run(Hour.of(in, "versions", "a", 0).second(1, 9));
    assertThat(in.ask("versions", "a")).isEqualTo(answer(1, 9, 2, 2));
    in.hbase().flush(in.table());
    assertThat(in.ask("versions", "a")).isEqualTo(answer(1, 9, 2, 2));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failNamesThePointAndWritesNothingOfTheRow(boolean hfiles) throws IOException {
    Installation in = strict;
    String metric = "fail." + hfiles;
    store(in, metric, false);
    TableDigest digest = in.hbase().digest(in.table());
    Hour hour = Hour.of(in, metric, "a", 0).second(1, 1.0).second(5, 5);
    assertThatThrownBy(() -> new Loading(in).hfiles(hfiles).run(hour))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
        .hasMessageContaining(in.tsuid(metric, "a"))
        .hasMessageContaining("2020-09-14T00:00:01Z")
        .hasMessageContaining("1 (integer) in the table")
        .hasMessageContaining("1.0 (floating point) in the input");
    assertThat(in.hbase().digest(in.table())).isEqualTo(digest);
  }

  @Test
  void hfilesRefuseToReplace() throws IOException {
    store(strict, "hfile.replace", false);
    Hour hour = Hour.of(strict, "hfile.replace", "a", 0).second(1, 9);
    assertThatThrownBy(() -> new Loading(strict).hfiles(true).onConflict(OnConflict.LAST).run(hour))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("use --mode put");
  }

  @Test
  void widthsOfTheSameNumberAreNoConflict() throws IOException {
    Installation in = strict;
    byte[] key = in.key("widths", "a", BASE);
    long stamp = System.currentTimeMillis();
    in.hbase()
        .putCells(
            in.table(),
            List.of(
                new RawCell(key, "t", HEX.parseHex("0003"), stamp, HEX.parseHex("00000005")),
                new RawCell(
                    key, "t", HEX.parseHex("001f"), stamp, HEX.parseHex("3ff8000000000000"))));
    Hour hour = Hour.of(in, "widths", "a", 0).second(0, 5);
    hour.points.addFloat(1000, false, 1.5f);
    assertThat(new Loading(in).run(hour).get(Count.ALREADY_STORED)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "f010, 01, must",
    "0007, 0102030405, must",
    "00000010, 010203040500, must",
    "050001, 0000, must"
  })
  void corruptRowsAreNamed(String qualifier, String value, String rule) throws IOException {
    Installation in = strict;
    String metric = "corrupt." + qualifier;
    byte[] key = in.key(metric, "a", BASE);
    in.hbase()
        .putCells(
            in.table(),
            List.of(new RawCell(key, "t", HEX.parseHex(qualifier), 7, HEX.parseHex(value))));
    Hour hour = Hour.of(in, metric, "a", 0).second(5, 5);
    assertThatThrownBy(() -> new Loading(in).run(hour))
        .isInstanceOf(JobException.class)
        .hasMessageContaining(in.tsuid(metric, "a"))
        .hasMessageContaining("must be repaired first")
        .hasMessageContaining(rule);
  }

  @Test
  void storedConflictsAreNamed() throws IOException {
    Installation in = strict;
    byte[] key = in.key("stored.conflict", "a", BASE);
    in.hbase()
        .putCells(
            in.table(),
            List.of(
                new RawCell(key, "t", HEX.parseHex("0000"), 7, HEX.parseHex("01")),
                new RawCell(key, "t", HEX.parseHex("f0000000"), 8, HEX.parseHex("02"))));
    Hour hour = Hour.of(in, "stored.conflict", "a", 0).second(5, 5);
    assertThatThrownBy(() -> new Loading(in).run(hour))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("tsd.storage.fix_duplicates");
  }

  @Test
  void rowsWithNothingButAnAnnotationAreNew() throws IOException {
    Installation in = strict;
    Hour hour = Hour.of(in, "noted", "a", 0).second(5, 5).second(6, 6);
    in.tsd.client().putAnnotation(in.tsuid("noted", "a"), BASE + 1, "stays");
    Tally tally = new Loading(in).run(hour);
    assertThat(tally.get(Count.ROWS_MERGED)).isZero();
    assertThat(tally.get(Count.POINTS_WRITTEN)).isEqualTo(2);
    assertThat(in.ask("noted", "a")).isEqualTo(hour.answer);
    assertThat(in.cells(hour.key)).hasSize(2);
  }

  @Test
  void aHistogramStays() throws IOException {
    Installation in = strict;
    Hour hour = Hour.of(in, "histo", "a", 0).second(5, 5).second(6, 6);
    in.tsd.client().putHistogram("histo", BASE + 2, Map.of("0,1", 5L), Map.of("host", "a"));
    in.put("histo", "a", BASE + 5, 4L);
    new Loading(in).onConflict(OnConflict.LAST).run(hour);
    assertThat(in.cells(hour.key)).anyMatch(c -> c.qualifier()[0] == 6).hasSize(2);
    assertThat(in.ask("histo", "a")).isEqualTo(hour.answer);
  }

  /** What TSDs deleted stays in the way of old stamps; it is said, not found out later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deleteMarkersInTheWayAreNamed(boolean hfiles) throws IOException {
    Installation in = dated;
    String metric = "deleted." + hfiles;
    Hour hour = Hour.of(in, metric, "a", 0).second(5, 5).second(6, 6);
    new Loading(in).run(hour);
    in.hbase().deleteRow(in.table(), hour.key);
    assertThatThrownBy(() -> new Loading(in).hfiles(hfiles).run(hour))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("hidden by a delete")
        .hasMessageContaining("major compaction");
    in.hbase().majorCompact(in.table());
    new Loading(in).hfiles(hfiles).run(hour);
    assertThat(in.ask(metric, "a")).isEqualTo(hour.answer);
  }

  @Test
  void stampsOfThePastReplaceNothingNewer() throws IOException {
    store(strict, "past", false);
    Hour hour = Hour.of(strict, "past", "a", 0).second(1, 9);
    assertThatThrownBy(
            () -> new Loading(strict).onConflict(OnConflict.LAST).stamps("data").run(hour))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("must not be older")
        .hasMessageContaining("--cell-timestamp now");
  }

  @ParameterizedTest
  @EnumSource(
      value = OnConflict.class,
      names = {"FAIL", "LAST"})
  void aResumedLoadKnowsItsOwnCells(OnConflict policy) throws IOException {
    Installation in = strict;
    String metric = "resumed." + policy;
    if (policy == OnConflict.LAST) {
      store(in, metric, false);
    }
    Hour hour = Hour.of(in, metric, "a", 0).second(2, 8).second(3, 3).second(5, 5);
    Loading first = new Loading(in).onConflict(policy);
    Tally before = first.run(hour);
    TableDigest digest = in.hbase().digest(in.table());
    Loading second = new Loading(in).onConflict(policy).resumed();
    second.stamps = first.stamps;
    Tally after = second.run(hour);
    assertThat(before.get(Count.ROWS_WRITTEN)).isEqualTo(1);
    assertThat(after.get(Count.POINTS_WRITTEN)).isEqualTo(3);
    assertThat(after.get(Count.ROWS_WRITTEN)).isEqualTo(1);
    assertThat(in.hbase().digest(in.table())).isEqualTo(digest);
  }

  /** Between the hours of a series lie those of others: the scan gives up, gets find the row. */
  @Test
  void findsItsRowsAmongMany() throws IOException {
    Installation in = strict;
    List<RawCell> others = new ArrayList<>();
    for (int host = 0; host < 300; host++) {
      byte[] key = in.key("many", "a", BASE + 3600);
      key[key.length - 1] = (byte) host;
      key[key.length - 2] = (byte) (host >> 8);
      key[key.length - 3] = 1;
      others.add(new RawCell(key, "t", HEX.parseHex("0000"), 7, HEX.parseHex("01")));
    }
    in.hbase().putCells(in.table(), others);
    in.put("many", "a", BASE + 2 * 3600, 5L);
    in.put("many", "a", BASE, 5L);
    Hour[] hours = {
      Hour.of(in, "many", "a", 0).second(0, 5),
      Hour.of(in, "many", "a", 1).second(0, 5),
      Hour.of(in, "many", "a", 2).second(0, 5),
      Hour.of(in, "many", "a", 3).second(0, 5)
    };
    Tally tally = new Loading(in).run(hours);
    assertThat(tally.get(Count.ALREADY_STORED)).isEqualTo(2);
    assertThat(tally.get(Count.POINTS_WRITTEN)).isEqualTo(2);
  }
}
