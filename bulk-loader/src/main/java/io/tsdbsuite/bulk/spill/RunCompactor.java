package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Merges neighbouring runs until few enough are left to read at the same time. */
public final class RunCompactor {
  /** Journals replaced runs. */
  @FunctionalInterface
  public interface Replaced {
    /**
     * A run on disk replaces several. Their files are deleted when this returns.
     *
     * @param drained counters of the points dropped by the merge
     */
    void replaced(List<RunFile> old, RunFile run, Tally drained) throws IOException;
  }

  private final Path directory;
  private final OnConflict onConflict;
  private final RowKey rowKey;
  private final int fanIn;
  private final Replaced replaced;

  /**
   * A compactor.
   *
   * @param directory gets the files
   * @param fanIn runs to read at the same time, and to leave, at most; at least 2
   */
  public RunCompactor(
      Path directory, OnConflict onConflict, RowKey rowKey, int fanIn, Replaced replaced) {
    this.directory = directory;
    this.onConflict = onConflict;
    this.rowKey = rowKey;
    this.fanIn = fanIn;
    this.replaced = replaced;
  }

  /** Merges, smallest neighbours first, until few enough are left; returns those, in order. */
  public List<RunFile> compact(List<RunFile> runs) throws IOException {
    List<RunFile> left = new ArrayList<>(runs);
    left.sort(Comparator.comparing(RunFile::first));
    while (left.size() > fanIn) {
      int width = Math.min(fanIn, left.size() - fanIn + 1);
      int start = smallest(left, width);
      List<RunFile> window = left.subList(start, start + width);
      List<RunFile> old = List.copyOf(window);
      Tally tally = new Tally();
      RunFile run = merge(old, tally);
      replaced.replaced(old, run, tally);
      for (RunFile file : old) {
        Files.deleteIfExists(file.path());
      }
      window.clear();
      left.add(start, run);
    }
    return left;
  }

  private static int smallest(List<RunFile> runs, int width) {
    long sum = 0;
    long least = Long.MAX_VALUE;
    int start = 0;
    for (int i = 0; i < runs.size(); i++) {
      sum += runs.get(i).bytes();
      if (i >= width) {
        sum -= runs.get(i - width).bytes();
      }
      if (i >= width - 1 && sum < least) {
        least = sum;
        start = i - width + 1;
      }
    }
    return start;
  }

  private RunFile merge(List<RunFile> runs, Tally tally) throws IOException {
    RunOrder first = runs.get(0).first();
    RunOrder last = runs.get(runs.size() - 1).last();
    byte[] all = {};
    try (RunWriter writer = new RunWriter(RunOrder.file(directory, first, last));
        HourMerger merger = new HourMerger(runs, all, all, onConflict, rowKey);
        SeriesTotals series = new SeriesTotals(runs)) {
      while (merger.nextHour()) {
        while (merger.nextChunk()) {
          writer.hour(
              merger.key,
              merger.keyLength,
              merger.packed,
              merger.off,
              merger.length,
              merger.points,
              merger.more);
        }
      }
      merger.drainTo(tally);
      for (SeriesTotal total = series.next(); total != null; total = series.next()) {
        writer.series(
            total.tsuid(),
            total.names().getBytes(StandardCharsets.UTF_8),
            total.accepted(),
            total.points(),
            total.newestMillis());
      }
      String source = runs.get(0).source();
      boolean one = runs.stream().allMatch(run -> run.source().equals(source));
      return writer.finish(first, last, one ? source : "");
    }
  }
}
