package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.ParsedNames;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.bulk.spill.RunSpills;
import io.tsdbsuite.format.schema.TsdConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Groups the points of a text into runs, with UIDs from a counter instead of HBase. */
final class GroupedRuns {
  private final NamesParser names = NamesParser.of(TsdConfig.parse(""));
  private final List<RunFile> runs = new ArrayList<>();
  private final Grouper grouper;
  private int known;
  private long points;

  /**
   * Begins a text.
   *
   * @param memory of the grouper, bytes
   * @param dir of the runs
   */
  GroupedRuns(String text, long memory, Path dir) throws IOException {
    grouper =
        new Grouper(
            new Grouping(
                memory,
                Long.MAX_VALUE,
                OnConflict.FAIL,
                Keys.ROW_KEY,
                this::check,
                this::resolve,
                (reason, form, file, line, detail, bytes, off, len) -> {
                  throw new IllegalStateException("line " + line + " was rejected: " + detail);
                },
                new RunSpills(
                    dir,
                    (run, upTo, tally) -> {
                      if (run != null) {
                        runs.add(run);
                      }
                    }),
                (more, bytes) -> {
                  points += more;
                  return true;
                }));
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, text, Position.START);
  }

  /** Receives the points. */
  Grouper grouper() {
    return grouper;
  }

  /** Number of points that the grouper has reported. */
  long points() {
    return points;
  }

  /** All runs, after the end of the grouper. */
  List<RunFile> runs() {
    return runs;
  }

  /** Deletes all runs. */
  void delete() throws IOException {
    for (RunFile run : runs) {
      Files.delete(run.path());
    }
  }

  private NewSeries check(SeriesText series) {
    ParsedNames parsed = names.parse(series);
    if (parsed instanceof ParsedNames.Accepted accepted) {
      return new NewSeries(accepted.metric(), accepted.tags());
    }
    throw new IllegalStateException("a name is illegal: " + parsed);
  }

  private void resolve(List<NewSeries> series) {
    for (NewSeries one : series) {
      one.resolved(Keys.template(known++));
    }
  }
}
