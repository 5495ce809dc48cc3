package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowBuilder;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.bulk.spill.RunCompactor;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.bulk.spill.RunSpills;
import io.tsdbsuite.bulk.spill.SpilledRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A load into a directory: groupers, runs, rows, and the books. */
final class TestLoad {
  final TestSeries series;
  final OnConflict onConflict;
  final Path directory;
  final Tally tally = new Tally();
  final List<RunFile> runs = Collections.synchronizedList(new ArrayList<>());
  final List<ReadCheckpoint> commits = Collections.synchronizedList(new ArrayList<>());
  final List<String> rejects = Collections.synchronizedList(new ArrayList<>());
  long activeFrom = Long.MAX_VALUE;
  long memory = Grouping.MIN_MEMORY;

  TestLoad(Path directory, String config, OnConflict onConflict) {
    this.directory = directory;
    this.series = new TestSeries(config);
    this.onConflict = onConflict;
  }

  Grouper grouper() {
    RunSpills spills =
        new RunSpills(
            directory,
            (run, upTo, drained) -> {
              commits.add(upTo);
              synchronized (tally) {
                tally.add(drained);
              }
              if (run != null) {
                runs.add(run);
              }
            });
    RejectSink sink =
        (reason, form, file, line, detail, text, off, len) ->
            rejects.add(
                reason
                    + " "
                    + file
                    + ":"
                    + line
                    + " "
                    + detail
                    + " | "
                    + new String(text, off, len, StandardCharsets.UTF_8));
    return new Grouper(
        new Grouping(
            memory,
            activeFrom,
            onConflict,
            series.rowKey,
            series,
            series,
            sink,
            spills,
            (points, bytes) -> true));
  }

  static void add(Grouper grouper, SeriesText text, ModelPoint point) throws IOException {
    if (point.value() instanceof Long integer) {
      grouper.integer(text, point.timestamp(), integer);
    } else {
      grouper.floating(text, point.timestamp(), point.value().doubleValue());
    }
  }

  SpilledRows rows() {
    return rows(RowBuilder.DEFAULT_LIMIT);
  }

  SpilledRows rows(int cellLimit) {
    return new SpilledRows(runs, onConflict, series.rowKey, cellLimit);
  }

  void compact(int fanIn) throws IOException {
    RunCompactor compactor =
        new RunCompactor(
            directory, onConflict, series.rowKey, fanIn, (old, run, drained) -> tally.add(drained));
    List<RunFile> left = compactor.compact(runs);
    runs.clear();
    runs.addAll(left);
  }

  /** Rows of a range, in the order in which they come; their points are booked as written. */
  List<EncodedRow> read(Rows rows, byte[] from, byte[] to) throws IOException {
    List<EncodedRow> all = new ArrayList<>();
    try (RowSource source = rows.open(from, to)) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        all.add(row);
        tally.add(Count.POINTS_WRITTEN, row.points());
        tally.add(source.drain());
      }
      tally.add(source.drain());
    }
    return all;
  }

  List<EncodedRow> readAll() throws IOException {
    return read(rows(), new byte[0], new byte[0]);
  }

  static void assertSame(List<EncodedRow> found, List<EncodedRow> expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < found.size(); i++) {
      EncodedRow row = found.get(i);
      EncodedRow wanted = expected.get(i);
      assertThat(row.key()).as("key of row %d", i).isEqualTo(wanted.key());
      assertThat(row.qualifier()).as("qualifier of row %d", i).isEqualTo(wanted.qualifier());
      assertThat(row.value()).as("value of row %d", i).isEqualTo(wanted.value());
      assertThat(row.points()).as("points of row %d", i).isEqualTo(wanted.points());
      assertThat(row.newestMillis()).as("time of row %d", i).isEqualTo(wanted.newestMillis());
    }
  }
}
