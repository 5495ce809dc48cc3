package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.WorkDir;
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

/** The runs of a load, and the journal of them. Safe to share between threads. */
final class Runs {
  /** Qualifier and value of one cell; HBase's client refuses cells of 10 MB. */
  private static final int CELL_LIMIT = 8 << 20;

  private final WorkDir workDir;
  private final RejectFile rejects;
  private final List<RunFile> runs = new ArrayList<>();
  private final Tally counted = new Tally();

  Runs(WorkDir workDir, RejectFile rejects) throws IOException {
    this.workDir = workDir;
    this.rejects = rejects;
    for (String run : workDir.before().runs()) {
      runs.add(RunFile.read(workDir.runs().resolve(run)));
    }
  }

  /** Journals the spills of one thread, with the rejects that came meanwhile. */
  SpillTarget target(RejectBatch batch) {
    return (run, upTo, drained) -> committed(run, upTo, drained, batch);
  }

  private synchronized void committed(
      @Nullable RunFile run, ReadCheckpoint upTo, Tally drained, RejectBatch batch) {
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

  /** Counters of this process. */
  synchronized Tally counted() {
    Tally copy = new Tally();
    copy.add(counted);
    return copy;
  }

  /** Merges runs while there are too many to be read at the same time by so many threads. */
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

  /** Number of partial hours; at least the number of rows. */
  long hours() {
    return runs.stream().mapToLong(RunFile::hours).sum();
  }

  private static String name(RunFile run) {
    return run.path().getFileName().toString();
  }
}
