package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.contract.RowReader.Nothing;
import io.tsdbsuite.contract.RowReader.Read;
import io.tsdbsuite.contract.RowReader.Reading;
import io.tsdbsuite.contract.RowReader.Refused;
import io.tsdbsuite.format.row.CellProblem;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import net.opentsdb.core.RealRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of every reader of raw rows: it returns the same points and numbers as OpenTSDB,
 * rejects the rows that OpenTSDB rejects, and also rejects the rows that OpenTSDB reads wrongly
 * (docs/storage.md, "Where we differ").
 */
abstract class RowContract {
  private static final int GOOD_ROWS = 20_000;
  private static final int SPECIAL_ROWS = 2_000;
  private static final int ROWS_PER_CORRUPTION = 300;

  /** Corruptions that OpenTSDB answers nevertheless, mostly wrongly; it rejects the others. */
  private static final Set<Corruption> ANSWERED_BY_TSD =
      EnumSet.of(
          Corruption.SECONDS_OUT_OF_ROW,
          Corruption.MILLIS_OUT_OF_ROW,
          Corruption.LONG_MILLIS_VALUE,
          Corruption.CUT_BETWEEN_POINTS,
          Corruption.EXTRA_BYTES,
          Corruption.UNSORTED_POINTS,
          Corruption.DUPLICATE_POINTS,
          Corruption.EMPTY_VALUE);

  /** The reader under test. */
  abstract RowReader subject(StorageSchema schema);

  @ParameterizedTest
  @EnumSource
  void goodRowsAreReadAlike(DuplicateRule rule) throws Exception {
    RowReader subject = subject(rule.schema());
    RowReader judge = new RealRowReader(rule.realRows());
    RowGenerator generator = new RowGenerator(Seed.VALUE);
    int read = 0;
    int refused = 0;
    int lost = 0;
    for (int i = 0; i < GOOD_ROWS; i++) {
      GeneratedRow row = generator.good();
      Reading expected = judge.read(row);
      Reading actual = subject.read(row);
      if (isLostByWrongMark(expected, actual, rule)) {
        lost++;
        continue;
      }
      String difference = difference(expected, actual, rule);
      assertThat(difference).as("%s%s", Seed.describe(i), row).isNull();
      read += expected instanceof Read ? 1 : 0;
      refused += expected instanceof Refused ? 1 : 0;
    }
    System.out.printf(
        "%s: %d rows read, %d refused by both, %d by OpenTSDB for its own wrong mark%n",
        rule, read, refused, lost);
    assertThat(read).isGreaterThan(GOOD_ROWS / 2);
    if (rule == DuplicateRule.REFUSE) {
      assertThat(refused).as("rows with conflicts").isGreaterThan(GOOD_ROWS / 50);
    }
  }

  @ParameterizedTest
  @EnumSource
  void specialRowsAreReadAlike(DuplicateRule rule) throws Exception {
    RowReader subject = subject(rule.schema());
    RowReader judge = new RealRowReader(rule.realRows());
    SpecialRows special = new SpecialRows(Seed.VALUE);
    int misread = 0;
    for (int i = 0; i < SPECIAL_ROWS; i++) {
      boolean large = i % 100 == 0;
      GeneratedRow row = large ? special.large() : special.markedAsAppend();
      Reading expected = judge.read(row);
      Reading actual = subject.read(row);
      misread += RealRows.isMisreadByExtraction(row) ? 1 : 0;
      if (!isLostByWrongMark(expected, actual, rule)) {
        assertThat(difference(expected, actual, rule)).as("%s%s", Seed.describe(i), row).isNull();
      }
    }
    System.out.printf(
        "%s: %d special rows read alike, %d of them misread by Internal.extractDataPoints%n",
        rule, SPECIAL_ROWS, misread);
    assertThat(misread).isGreaterThan(SPECIAL_ROWS / 2);
  }

  @ParameterizedTest
  @EnumSource
  void corruptionsAreReported(Corruption corruption) throws Exception {
    RowReader subject = subject(DuplicateRule.NEWEST.schema());
    RowReader judge = new RealRowReader(DuplicateRule.NEWEST.realRows());
    RowGenerator generator = new RowGenerator(Seed.VALUE + corruption.name().hashCode());
    int answered = 0;
    for (int i = 0; i < ROWS_PER_CORRUPTION; i++) {
      GeneratedRow row = generator.corrupted(corruption);
      Reading actual = subject.read(row);
      answered += judge.read(row) instanceof Refused ? 0 : 1;
      if (corruption.problem() == null) {
        String difference = difference(judge.read(withoutEmpty(row)), actual, DuplicateRule.NEWEST);
        assertThat(difference).as("%s%s", Seed.describe(i), row).isNull();
      } else {
        assertThat(actual)
            .as("%s%s", Seed.describe(i), row)
            .isInstanceOfSatisfying(
                Refused.class,
                refused -> assertThat(refused.problem()).isEqualTo(corruption.problem()));
      }
    }
    System.out.printf(
        "%s: %d rows refused by us, %d of them answered by OpenTSDB%n",
        corruption, ROWS_PER_CORRUPTION, answered);
    if (ANSWERED_BY_TSD.contains(corruption)) {
      assertThat(answered).as("answered by OpenTSDB").isGreaterThan(ROWS_PER_CORRUPTION / 2);
    } else {
      // A point that loses against another point of its instant is never read.
      assertThat(answered).as("answered by OpenTSDB").isLessThan(ROWS_PER_CORRUPTION / 20);
    }
  }

  @Test
  void everyProblemHasItsCorruption() {
    Set<CellProblem> problems = EnumSet.noneOf(CellProblem.class);
    for (Corruption corruption : Corruption.values()) {
      if (corruption.problem() != null) {
        problems.add(corruption.problem());
      }
    }
    // The corruptions are of cells with points; RowMergerTest has those of histograms.
    assertThat(problems)
        .isEqualTo(
            EnumSet.complementOf(
                EnumSet.of(
                    CellProblem.HISTOGRAM_OUT_OF_ROW,
                    CellProblem.NO_CODEC_ID,
                    CellProblem.SAME_INSTANT_HISTOGRAMS)));
  }

  private static GeneratedRow withoutEmpty(GeneratedRow row) {
    List<GeneratedCell> cells = new ArrayList<>(row.cells());
    cells.removeIf(cell -> cell.value().length == 0);
    return new GeneratedRow(row.baseTime(), cells, null, row.description());
  }

  /**
   * In date-tiered mode OpenTSDB marks the resolution of the point after the one that it writes. If
   * the mark misses that both resolutions occur, it counts the qualifiers wrongly and can read past
   * their end.
   */
  private static boolean isLostByWrongMark(Reading expected, Reading actual, DuplicateRule rule) {
    return rule.isDateTiered()
        && expected instanceof Refused refused
        && refused.message().contains("ArrayIndexOutOfBounds")
        && actual instanceof Read read
        && isMixed(read.qualifier());
  }

  private static boolean isMixed(byte[] qualifier) {
    int millis = millis(qualifier);
    return millis > 0 && qualifier.length > 4 * millis;
  }

  private static boolean isCompacted(byte[] qualifier) {
    return qualifier.length - 2 * millis(qualifier) > 2;
  }

  /** The number of points in milliseconds in a qualifier. */
  private static int millis(byte[] qualifier) {
    int millis = 0;
    int at = 0;
    while (at < qualifier.length) {
      boolean isMillis = (qualifier[at] & 0xf0) == 0xf0;
      millis += isMillis ? 1 : 0;
      at += isMillis ? 4 : 2;
    }
    return millis;
  }

  /** Describes the difference; null if there is none. */
  private static String difference(Reading expected, Reading actual, DuplicateRule rule) {
    if (expected instanceof Read e && actual instanceof Read a) {
      return difference(e, a, rule);
    }
    boolean alike =
        (expected instanceof Refused && actual instanceof Refused)
            || (expected instanceof Nothing && actual instanceof Nothing);
    return alike ? null : "OpenTSDB: " + expected + ", subject: " + actual;
  }

  private static String difference(Read e, Read a, DuplicateRule rule) {
    byte[] expectedValue = e.value().clone();
    byte[] value = a.value().clone();
    if (rule.isDateTiered() && isCompacted(e.qualifier())) {
      // The same wrong mark (docs/storage.md 11).
      expectedValue[expectedValue.length - 1] = 0;
      value[value.length - 1] = 0;
    }
    StringBuilder text = new StringBuilder();
    differ(text, "qualifier", e.qualifier(), a.qualifier());
    differ(text, "value", expectedValue, value);
    differ(text, "sum", e.sum(), a.sum());
    differ(text, "min", e.min(), a.min());
    differ(text, "max", e.max(), a.max());
    differ(text, "count", e.count(), a.count());
    return text.length() == 0 ? null : text.toString();
  }

  private static void differ(StringBuilder text, String what, byte[] expected, byte[] actual) {
    if (!Arrays.equals(expected, actual)) {
      HexFormat hex = HexFormat.of();
      text.append(what)
          .append(": OpenTSDB ")
          .append(hex.formatHex(expected))
          .append(", subject ")
          .append(hex.formatHex(actual))
          .append('\n');
    }
  }

  private static void differ(StringBuilder text, String what, double expected, double actual) {
    if (Double.doubleToRawLongBits(expected) != Double.doubleToRawLongBits(actual)) {
      text.append(what)
          .append(": OpenTSDB ")
          .append(expected)
          .append(", subject ")
          .append(actual)
          .append('\n');
    }
  }
}
