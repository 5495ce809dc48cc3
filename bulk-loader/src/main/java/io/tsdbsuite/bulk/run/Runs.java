package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.names.ChangedName;
import io.tsdbsuite.bulk.names.NameChanges;
import io.tsdbsuite.bulk.report.RejectBatch;
import io.tsdbsuite.bulk.report.RejectFile;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.spill.RunCompactor;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.bulk.spill.RunMerger;
import io.tsdbsuite.bulk.spill.SpillTarget;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The runs of a load. Adds each new run to the journal. Thread-safe. */
final class Runs {
  /**
   * Maximum length of the qualifier and value of one cell, bytes; HBase's client refuses cells of
   * 10 MB.
   */
  private static final int CELL_LIMIT = 8 << 20;

  /** Names in one line of the journal. */
  private static final int NAMES_PER_EVENT = 1000;

  private final WorkDir workDir;
  private final NameChanges names;
  private final RejectFile rejects;
  private final List<RunFile> runs = new ArrayList<>();
  private final Tally counted = new Tally();

  Runs(WorkDir workDir, NameChanges names, RejectFile rejects) throws IOException {
    this.workDir = workDir;
    this.names = names;
    this.rejects = rejects;
    for (String run : workDir.before().runs()) {
      runs.add(RunFile.read(workDir.runs().resolve(run)));
    }
  }

  /**
   * Returns a target that adds the spills of one thread to the journal, with the rejects since the
   * previous spill.
   */
  SpillTarget target(RejectBatch batch) {
    return (run, upTo, drained) -> committed(run, upTo, drained, batch);
  }

  private synchronized void committed(
      @Nullable RunFile run, ReadCheckpoint upTo, Tally drained, RejectBatch batch) {
    List<ChangedName> fresh = names.takeFresh();
    for (int from = 0; from < fresh.size(); from += NAMES_PER_EVENT) {
      int to = Math.min(fresh.size(), from + NAMES_PER_EVENT);
      workDir.journal().append(new JournalEvent.NamesMet(fresh.subList(from, to)));
    }
    workDir
        .journal()
        .append(
            new JournalEvent.RunSpilled(
                run == null ? "" : name(run),
                upTo.unit(),
                upTo.spills() - 1,
                upTo.part(),
                upTo.position(),
                upTo.unitDone(),
                drained,
                rejects.commit(batch)));
    if (run != null) {
      runs.add(run);
    }
    counted.add(drained);
  }

  /** Counters of this process, without earlier processes of the load; a copy. */
  synchronized Tally counted() {
    Tally copy = new Tally();
    copy.add(counted);
    return copy;
  }

  /**
   * Merges runs until {@code threads} threads can read all runs at the same time.
   *
   * @param threads number of reading threads
   * @param memoryBytes memory for the buffers of all threads, bytes
   */
  void compact(OnConflict onConflict, RowKey rowKey, int threads, long memoryBytes)
      throws IOException {
    int fanIn = RunMerger.fanIn(memoryBytes, threads);
    List<RunFile> left =
        new RunCompactor(workDir.runs(), onConflict, rowKey, fanIn, this::replaced).compact(runs);
    runs.clear();
    runs.addAll(left);
  }

  private void replaced(List<RunFile> old, RunFile run, Tally drained) {
    workDir
        .journal()
        .append(
            new JournalEvent.RunsCompacted(
                old.stream().map(Runs::name).toList(), name(run), drained));
    counted.add(drained);
  }

  SpilledRows rows(OnConflict onConflict, RowKey rowKey) {
    return new SpilledRows(runs, onConflict, rowKey, CELL_LIMIT);
  }

  /** Number of partial hours in all runs, at least the number of rows. */
  long hours() {
    return runs.stream().mapToLong(RunFile::hours).sum();
  }

  private static String name(RunFile run) {
    return run.path().getFileName().toString();
  }
}
