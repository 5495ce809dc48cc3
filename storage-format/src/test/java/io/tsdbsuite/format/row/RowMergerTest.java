package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.Hex;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowMergerTest {
  private final RowMerger strict = merger("");
  private final RowMerger fixing = merger("tsd.storage.fix_duplicates=true");

  private static RowMerger merger(String config) {
    return new RowMerger(StorageSchema.from(TsdConfig.parse(config)));
  }

  private static void add(RowMerger merger, String q, String v, long stamp)
      throws CorruptCellException {
    byte[] qualifier = Hex.bytes("ee" + q + "ee");
    byte[] value = Hex.bytes("dddd" + v + "dd");
    merger.add(qualifier, 1, qualifier.length - 2, value, 2, value.length - 3, stamp);
  }

  private static List<String> merge(RowMerger merger) throws DuplicateConflictException {
    PointBuffer points = merger.merge();
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      shown.add(
          points.offsetMillis(i)
              + (points.isMillis(i) ? "ms=" : "=")
              + (points.isFloat(i) ? points.doubleValue(i) + "f" : points.longValue(i))
              + "/"
              + points.valueLength(i));
    }
    return shown;
  }

  @Test
  void singleCellsInOrder() throws Exception {
    add(strict, "0000", "05", 1);
    add(strict, "0011", "0100", 1);
    add(strict, "e0ff", "3ff8000000000000", 1);

    assertThat(merge(strict)).containsExactly("0=5/1", "1000=256/2", "3599000=1.5f/8");
    assertThat(strict.pointCells()).isEqualTo(3);
    assertThat(strict.pointsRead()).isEqualTo(3);
    assertThat(strict.duplicatesDropped()).isZero();
  }

  @Test
  void millisecondsSortAmongSeconds() throws Exception {
    add(strict, "0000", "01", 1);
    add(strict, "0020", "03", 1);
    add(strict, "f0007d00", "02", 1);

    assertThat(merge(strict)).containsExactly("0=1/1", "500ms=2/1", "2000=3/1");
  }

  @ParameterizedTest
  @CsvSource({"01020300", "01020301", "010203ff", "010203"})
  void compactedWithAnyLastByteOrNone(String value) throws Exception {
    add(strict, "00000010f000fa00".replace("f000fa00", "0020"), value, 1);

    assertThat(merge(strict)).containsExactly("0=1/1", "1000=2/1", "2000=3/1");
  }

  @Test
  void compactedOfBothResolutions() throws Exception {
    add(strict, "0000 f0007d0b 0017", "07 3fc00000 00000000000000ff 01", 1);

    assertThat(merge(strict)).containsExactly("0=7/1", "500ms=1.5f/4", "1000=255/8");
  }

  @Test
  void lateCellsJoinACompactedOne() throws Exception {
    add(strict, "00000020", "010300", 5);
    add(strict, "0010", "02", 9);

    assertThat(merge(strict)).containsExactly("0=1/1", "1000=2/1", "2000=3/1");
  }

  @Test
  void identicalDuplicatesAreDropped() throws Exception {
    add(strict, "00000010", "010200", 5);
    add(strict, "0010", "02", 9);

    assertThat(merge(strict)).containsExactly("0=1/1", "1000=2/1");
    assertThat(strict.pointsRead()).isEqualTo(3);
    assertThat(strict.duplicatesDropped()).isEqualTo(1);
    assertThat(strict.ambiguousDuplicates()).isZero();
  }

  @Test
  void differentDuplicatesFailUnlessFixed() throws Exception {
    add(strict, "0010", "09", 5);
    add(strict, "0011", "0009", 6);
    add(fixing, "0010", "09", 5);
    add(fixing, "0011", "0009", 6);

    DuplicateConflictException e =
        catchThrowableOfType(DuplicateConflictException.class, strict::merge);

    assertThat(e.offsetMillis()).isEqualTo(1000);
    assertThat(e)
        .hasMessageContainingAll("offset 1000 ms", "fix_duplicates", "9 (integer, 2 bytes");
    assertThat(merge(fixing)).containsExactly("1000=9/2");
  }

  @Test
  void bytesDecideNotTypes() throws Exception {
    add(strict, "0013", "3fc00000", 5);
    add(strict, "001b", "3fc00000", 6);

    assertThat(merge(strict)).containsExactly("1000=1.5f/4");
  }

  @Test
  void theNewestKeepsItsResolution() throws Exception {
    add(fixing, "0010", "01", 5);
    add(fixing, "f000fa00", "02", 6);

    assertThat(merge(fixing)).containsExactly("1000ms=2/1");
  }

  @Test
  void equalStampsKeepTheFirstAndAreCounted() throws Exception {
    add(fixing, "0010", "01", 5);
    add(fixing, "0011", "0002", 5);
    add(fixing, "f000fa00", "03", 5);

    assertThat(merge(fixing)).containsExactly("1000=1/1");
    assertThat(fixing.duplicatesDropped()).isEqualTo(2);
    assertThat(fixing.ambiguousDuplicates()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"true, 1000=300/2", "false, 1000=-2.0f/8"})
  void dateTieredTakesTheLargestOrSmallest(boolean largest, String expected) throws Exception {
    RowMerger merger =
        merger("tsd.storage.use_otsdb_timestamp=true\ntsd.storage.use_max_value=" + largest);
    add(merger, "0010", "05", 9);
    add(merger, "0011", "012c", 7);
    add(merger, "001f", "c000000000000000", 7);

    assertThat(merge(merger)).containsExactly(expected);
    assertThat(merger.ambiguousDuplicates()).isZero();
  }

  @Test
  void appendsAreSortedAndTheLastHolds() throws Exception {
    add(strict, "050000", "0020 03 | 0010 02 | 0010 05 | f0007d00 01", 1);

    assertThat(merge(strict)).containsExactly("500ms=1/1", "1000=5/1", "2000=3/1");
    assertThat(strict.pointsRead()).isEqualTo(4);
    assertThat(strict.duplicatesDropped()).isEqualTo(1);
    assertThat(strict.ambiguousDuplicates()).isZero();
  }

  @Test
  void appendsMergeWithOtherCells() throws Exception {
    add(strict, "0010", "02", 7);
    add(strict, "050000", "0000 01 | 0020 03", 8);

    assertThat(merge(strict)).containsExactly("0=1/1", "1000=2/1", "2000=3/1");
  }

  @Test
  void historicFloats() throws Exception {
    add(strict, "000b", "00000000 3fc00000", 1);
    add(strict, "0010", "00000000000000ff", 1);
    add(strict, "002f", "3fc00000", 1);

    assertThat(merge(strict)).containsExactly("0=1.5f/4", "1000=255/8", "2000=1.5f/4");
  }

  @Test
  void otherColumnsAreCounted() throws Exception {
    add(strict, "010000", "7b7d", 1);
    add(strict, "0600000000", "2a", 1);
    add(strict, "070000", "01", 1);
    add(strict, "0000", "", 1);
    add(strict, "00000010", "", 1);
    add(strict, "f0007d00", "", 1);
    add(strict, "050000", "", 1);

    assertThat(merge(strict)).isEmpty();
    assertThat(strict.annotations()).isEqualTo(1);
    assertThat(strict.histograms()).isEqualTo(1);
    assertThat(strict.unknownColumns()).isEqualTo(1);
    assertThat(strict.emptyValues()).isEqualTo(4);
    assertThat(strict.pointCells()).isZero();

    strict.reset();
    assertThat(strict.emptyValues() + strict.annotations() + strict.histograms()).isZero();
    assertThat(strict.unknownColumns()).isZero();
  }

  private static List<String> sorted(RowHistograms histograms) throws CorruptCellException {
    histograms.sort();
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < histograms.size(); i++) {
      int start = histograms.start(i);
      byte[] value = Arrays.copyOfRange(histograms.bytes(), start, start + histograms.length(i));
      shown.add(histograms.offsetMillis(i) + ":" + histograms.codecId(i) + ":" + Hex.of(value));
    }
    return shown;
  }

  @Test
  void histogramsByTime() throws Exception {
    RowHistograms histograms = new RowHistograms();
    add(strict, "060000", "2a", 1);
    strict.receive(histograms);
    add(strict, "060e0f", "2b0102", 1);
    add(strict, "0000", "05", 1);
    add(strict, "060000", "ff", 1);
    add(strict, "06000003e7", "0007", 1);
    assertThat(sorted(histograms)).containsExactly("0:255:", "999:0:07", "3599000:43:0102");
    assertThat(merge(strict)).containsExactly("0=5/1");
    assertThat(strict.histograms()).isEqualTo(4);

    strict.reset();
    assertThat(histograms.size()).isZero();
    List<String> expected = new ArrayList<>();
    for (int second = 0; second < 300; second++) {
      String payload = String.format("%04x", second).repeat(second % 7);
      add(strict, String.format("06%04x", 299 - second), "2a" + payload, 1);
      expected.add(0, (299 - second) * 1000 + ":42:" + payload);
    }
    assertThat(sorted(histograms)).isEqualTo(expected);
  }

  @Test
  void histogramsOfAnEarlierRowAreGone() throws Exception {
    RowHistograms histograms = new RowHistograms();
    strict.receive(histograms);
    add(strict, "060000", "2a01", 1);
    strict.receive(null);
    strict.reset();
    add(strict, "060001", "2a02", 1);
    strict.reset();
    strict.receive(histograms);
    add(strict, "060002", "2a03", 1);
    assertThat(sorted(histograms)).containsExactly("2000:42:03");
  }

  @ParameterizedTest
  @CsvSource({
    "060e10, 2a, HISTOGRAM_OUT_OF_ROW, 3600000",
    "060036ee80, 2a, HISTOGRAM_OUT_OF_ROW, 3600000",
    "06ffffffff, 2a, HISTOGRAM_OUT_OF_ROW, 4294967295",
    "060000, '', NO_CODEC_ID, no byte"
  })
  void corruptHistograms(String q, String v, CellProblem problem, String found) throws Exception {
    add(strict, q, v, 1);
    assertThat(strict.histograms()).as("only counted").isEqualTo(1);
    RowHistograms histograms = new RowHistograms();
    strict.receive(histograms);
    add(strict, "060001", "2a01", 1);
    CorruptCellException e =
        catchThrowableOfType(CorruptCellException.class, () -> add(strict, q, v, 1));
    assertThat(e).hasMessage("cell " + q + ": " + problem.rule() + ", found " + found);
    assertThat(e.problem()).isEqualTo(problem);
    assertThat(sorted(histograms)).as("it leaves nothing behind").containsExactly("1000:42:01");
  }

  @Test
  void twoHistogramsOfOneInstant() throws Exception {
    RowHistograms histograms = new RowHistograms();
    strict.receive(histograms);
    add(strict, "060005", "2a", 1);
    add(strict, "0600001388", "2a", 1);
    assertThatThrownBy(histograms::sort)
        .isInstanceOf(CorruptCellException.class)
        .hasMessage("cell 06: an instant must have one histogram, found two at millisecond 5000");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 01, EMPTY_QUALIFIER",
    "f000, 01, CUT_MILLIS_QUALIFIER",
    "0000f000, 0102, CUT_MILLIS_QUALIFIER",
    "05, 01, ODD_APPEND_QUALIFIER",
    "0500000000, 01, ODD_APPEND_QUALIFIER",
    "e100, 01, SECONDS_OUT_OF_ROW",
    "eff0, 01, SECONDS_OUT_OF_ROW",
    "0000e100, 010200, SECONDS_OUT_OF_ROW",
    "fdbba000, 01, MILLIS_OUT_OF_ROW",
    "0000fdbba000, 010201, MILLIS_OUT_OF_ROW",
    "0002, 010203, INTEGER_WIDTH",
    "0000, 010203, INTEGER_WIDTH",
    "0000, 010203040506070809, INTEGER_WIDTH",
    "00020010, 01020304, INTEGER_WIDTH",
    "f0007d04, 0102030405, INTEGER_WIDTH",
    "0008, 01, FLOAT_WIDTH",
    "000b, 010203, FLOAT_WIDTH",
    "00090010, 01020304, FLOAT_WIDTH",
    "f0007d08, 01, FLOAT_WIDTH",
    "000b, 000000013fc00000, HISTORIC_FLOAT",
    "f0007d00, 0102, VALUE_LENGTH",
    "f0007d0b, 000000003fc00000, VALUE_LENGTH",
    "00000010, 01, VALUE_LENGTH",
    "00000011, 0102, VALUE_LENGTH",
    "00000010, 01020304, VALUE_LENGTH",
    "00100000, 010200, UNSORTED_POINTS",
    "0010f0007d00, 010201, UNSORTED_POINTS",
    "00100010, 010200, DUPLICATE_POINTS",
    "0010f000fa00, 010201, DUPLICATE_POINTS",
    "050000, 00, TRUNCATED_APPEND",
    "050000, 0000, TRUNCATED_APPEND",
    "050000, f0007d, TRUNCATED_APPEND",
    "050000, 0000010010, TRUNCATED_APPEND",
    "050000, e10001, SECONDS_OUT_OF_ROW",
    "050000, 0002010203, INTEGER_WIDTH"
  })
  void corruptCells(String q, String v, CellProblem problem) throws Exception {
    add(strict, "0000", "01", 1);

    CorruptCellException e =
        catchThrowableOfType(CorruptCellException.class, () -> add(strict, q, v, 1));

    assertThat(e).isNotNull();
    assertThat(e.problem()).isEqualTo(problem);
    assertThat(e)
        .hasMessageContainingAll(q.isEmpty() ? "no qualifier" : q, problem.rule(), "found ");
    assertThat(e.getStackTrace()).isEmpty();
    assertThat(merge(strict)).as("the bad cell leaves nothing behind").containsExactly("0=1/1");
  }

  @Test
  void longQualifiersAreCutInMessages() {
    String q = "00000010".repeat(100);

    assertThatThrownBy(() -> add(strict, q, "01", 1))
        .hasMessageContaining("00000010... (400 bytes)")
        .hasMessageMatching(".{0,250}");
  }

  @Test
  void manyCellsInAnyOrder() throws Exception {
    for (int i = 0; i < 3600; i++) {
      int second = i * 1511 % 3600;
      byte[] q = Qualifier.ofSeconds(second, false, 2);
      byte[] v = {(byte) (second >> 8), (byte) second};
      strict.add(q, 0, 2, v, 0, 2, i);
    }

    PointBuffer points = strict.merge();

    assertThat(points.size()).isEqualTo(3600);
    for (int i = 0; i < 3600; i++) {
      assertThat(points.offsetMillis(i)).isEqualTo(i * 1000);
      assertThat(points.longValue(i)).isEqualTo(i);
    }
  }
}
