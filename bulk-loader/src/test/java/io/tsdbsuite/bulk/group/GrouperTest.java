package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrouperTest {
  private static final long HOUR = 1_600_041_600L;

  @TempDir Path directory;
  private TestLoad load;

  @BeforeEach
  void load() {
    load = new TestLoad(directory, "", OnConflict.FAIL);
  }

  private static Grouper begun(Grouper grouper, int unit) {
    grouper.begin(ReadCheckpoint.start(unit));
    grouper.part(0, "in.gz", Position.START);
    return grouper;
  }

  @Test
  void hoursThatMayBeWrittenAreRefused() throws Exception {
    load.activeFrom = HOUR;
    Grouper grouper = begun(load.grouper(), 0);
    SeriesText text = TestSeries.text("m", "h=a");

    grouper.integer(text, HOUR - 1, 1);
    grouper.integer(text, HOUR, -5);
    grouper.floating(text, HOUR * 1000 + 1, 0.25);
    grouper.floating(text, HOUR - 2, 0.5);
    grouper.end();

    String why =
        "the hour must begin before 1600041600, since TSDs may still write into later ones; found ";
    assertThat(load.rejects)
        .containsExactly(
            "ACTIVE_HOUR in.gz:7 " + why + "1600041600 | put m 1600041600 -5 h=a",
            "ACTIVE_HOUR in.gz:7 " + why + "1600041600001 | put m 1600041600001 0.25 h=a");
    assertThat(load.readAll()).hasSize(1);
    assertThat(load.tally.rejected(RejectReason.ACTIVE_HOUR)).isEqualTo(2);
    assertThat(load.tally.missing()).isZero();
  }

  @Test
  void aSeriesOfWhichNothingIsLoadedGetsNoUids() throws Exception {
    load.activeFrom = HOUR;
    Grouper grouper = begun(load.grouper(), 0);
    grouper.integer(TestSeries.text("m", "h=a"), HOUR, 1);
    grouper.end();

    assertThat(load.series.batches).isZero();
    assertThat(load.runs).isEmpty();
  }

  @Test
  void allPointsOfABadSeriesAreRejected() throws Exception {
    Grouper grouper = begun(load.grouper(), 0);
    SeriesText bad = TestSeries.text("bad", "h=a");
    grouper.integer(bad, HOUR, 1);
    grouper.integer(TestSeries.text("m", "h=a"), HOUR, 1);
    grouper.spill();
    grouper.integer(bad, HOUR + 1, Long.MIN_VALUE);
    grouper.end();

    String start = "ILLEGAL_NAME in.gz:7 names must be good, found bad | put bad ";
    assertThat(load.rejects)
        .containsExactly(start + "1600041600 1 h=a", start + "1600041601 -9223372036854775808 h=a");
    load.readAll();
    assertThat(load.tally.missing()).isZero();
  }

  @Test
  void aSeriesRefusedAtTheSpillHasItsPointsRejected() throws Exception {
    Grouper grouper = begun(load.grouper(), 0);
    grouper.integer(TestSeries.text("unknown", "h=a"), HOUR + 2, 300);
    grouper.integer(TestSeries.text("m", "h=a"), HOUR, 1);
    grouper.floating(TestSeries.text("unknown", "h=a"), HOUR * 1000, 0.1);
    grouper.spill();
    grouper.integer(TestSeries.text("unknown", "h=a"), HOUR, 1);
    grouper.part(1, "next.gz", Position.START);
    grouper.integer(TestSeries.text("unknown.too", "h=a"), HOUR, 1);
    grouper.end();

    assertThat(load.rejects)
        .containsExactly(
            "UNKNOWN_NAME in.gz:0 metric must have a UID, found unknown | put unknown 1600041602"
                + " 300 h=a",
            "UNKNOWN_NAME in.gz:0 metric must have a UID, found unknown | put unknown 1600041600000"
                + " 0.1 h=a",
            "UNKNOWN_NAME in.gz:7 metric must have a UID, found unknown | put unknown 1600041600 1"
                + " h=a",
            "UNKNOWN_NAME :0 metric must have a UID, found unknown.too | put unknown.too 1600041600"
                + " 1 h=a");
    load.readAll();
    assertThat(load.tally.rejected()).isEqualTo(4);
    assertThat(load.tally.missing()).isZero();
    assertThat(load.tally.days()).containsExactly(Map.entry((int) (HOUR / 86_400), 1L));
    assertThat(load.rows().pointsByMetric().total()).isEqualTo(load.tally.accepted());
  }

  @Test
  void linesAndBytesAreCountedByPosition() throws Exception {
    Grouper grouper = load.grouper();
    grouper.begin(ReadCheckpoint.start(3));
    grouper.part(0, "a", new Position(100, 10, 10));
    grouper.integer(TestSeries.text("m", "h=a"), HOUR, 1);
    byte[] text = "rubbish".getBytes(StandardCharsets.UTF_8);
    grouper.rejected(RejectReason.MALFORMED_LINE, 12, "a rule", text, 0, text.length);
    grouper.withoutPoint();
    assertThat(grouper.at(new Position(160, 13, 12))).isTrue();
    grouper.part(1, "b", Position.START);
    assertThat(grouper.at(new Position(7, 1, 1))).isTrue();
    grouper.end();

    assertThat(load.tally.get(Count.BYTES_READ)).isEqualTo(67);
    assertThat(load.tally.get(Count.LINES_READ)).isEqualTo(4);
    assertThat(load.tally.get(Count.LINES_WITHOUT_POINT)).isEqualTo(1);
    assertThat(load.tally.get(Count.POINTS_READ)).isEqualTo(2);
    assertThat(load.rejects).containsExactly("MALFORMED_LINE a:12 a rule | rubbish");
    assertThat(load.commits)
        .containsExactly(new ReadCheckpoint(3, 1, 1, new Position(7, 1, 1), true));
  }

  @Test
  void aUnitGoesOnAfterItsLastCommit() throws Exception {
    Grouper killed = begun(load.grouper(), 0);
    killed.integer(TestSeries.text("m", "h=a"), HOUR, 1);
    killed.at(new Position(20, 1, 1));
    killed.spill();
    killed.integer(TestSeries.text("m", "h=a"), HOUR + 1, 2);

    ReadCheckpoint from = load.commits.get(0);
    Grouper resumed = load.grouper();
    resumed.begin(from);
    resumed.part(from.part(), "in.gz", from.position());
    resumed.integer(TestSeries.text("m", "h=a"), HOUR + 1, 2);
    resumed.end();

    List<EncodedRow> rows = load.readAll();
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).points()).isEqualTo(2);
    assertThat(load.runs.get(1).first().spill()).isEqualTo(1);
    assertThat(load.tally.missing()).isZero();
  }

  @Test
  void aUnitWithoutPointsIsCommittedWithoutARun() throws Exception {
    begun(load.grouper(), 4).end();

    assertThat(load.runs).isEmpty();
    assertThat(load.commits).containsExactly(new ReadCheckpoint(4, 1, 0, Position.START, true));
  }

  @Test
  void namesWithTheSameUidsAreOneSeries() throws Exception {
    load = new TestLoad(directory, "tsd.storage.salt.width=1", OnConflict.FAIL);
    Grouper grouper = begun(load.grouper(), 0);
    for (String metric : new String[] {"m", "mtwin", "n", "twinm"}) {
      grouper.integer(TestSeries.text(metric, "h=a"), HOUR, 1);
      grouper.integer(TestSeries.text(metric, "h=a"), HOUR + metric.length(), 1);
    }
    grouper.end();

    List<EncodedRow> rows = load.readAll();
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).points() + rows.get(1).points()).isEqualTo(3 + 2);
    assertThat(load.tally.get(Count.DUPLICATES_IDENTICAL)).isEqualTo(3);
    assertThat(load.tally.missing()).isZero();
    try (SeriesTotals totals = load.rows().series()) {
      assertThat(totals.next().points() + totals.next().points()).isEqualTo(5);
      assertThat(totals.next()).isNull();
    }
  }

  @Test
  void theLargestTime() throws Exception {
    Grouper grouper = begun(load.grouper(), 0);
    SeriesText text = TestSeries.text("m", "h=a");
    grouper.integer(text, 0xffffffffL, 1);
    grouper.integer(text, 1, 1);
    grouper.integer(text, 0xffffffffL * 1000, 1);
    grouper.end();

    List<EncodedRow> rows = load.readAll();
    assertThat(rows).hasSize(2);
    assertThat(rows.get(1).newestMillis()).isEqualTo(0xffffffffL * 1000);
    assertThat(load.tally.get(Count.DUPLICATES_IDENTICAL)).isEqualTo(1);
  }
}
