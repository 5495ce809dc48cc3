package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.group.ReadListener;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.input.PartReader;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.series.SeriesResolver;
import io.tsdbsuite.bulk.spill.RunCompactor;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.bulk.spill.RunMerger;
import io.tsdbsuite.bulk.spill.RunSpills;
import io.tsdbsuite.bulk.spill.SpillTarget;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Reads a unit of the input into few enough sorted runs, as a thread of a local load does. */
final class UnitReading {
  private final LoadPlan plan;
  private final SeriesResolver resolver;
  private final Path directory;
  private final long memoryBytes;
  private final UnitRejects rejects;
  private final List<RunFile> runs = new ArrayList<>();
  private final Tally tally = new Tally();

  /**
   * @param directory gets the runs
   */
  UnitReading(
      LoadPlan plan,
      SeriesResolver resolver,
      Path directory,
      long memoryBytes,
      UnitRejects rejects) {
    this.plan = plan;
    this.resolver = resolver;
    this.directory = directory;
    this.memoryBytes = memoryBytes;
    this.rejects = rejects;
  }

  /**
   * Reads all of it, or until more points are rejected than the whole load may have.
   *
   * @param goesOn polled during the reading
   * @throws JobException as reading does
   */
  void read(UnitCodec.Sent sent, BooleanSupplier goesOn) throws IOException {
    InputUnit unit = sent.unit();
    Grouper grouper = new Grouper(grouping(goesOn));
    PartReader reader = new PartReader(sent.formats());
    grouper.begin(ReadCheckpoint.start(unit.ordinal()));
    try {
      for (int part = 0; part < unit.parts().size() && goesOn(goesOn); part++) {
        InputPart next = unit.parts().get(part);
        grouper.part(
            part, next.name(), sent.formats().of(next.file()).rejectForm(), Position.START);
        reader.read(next, Position.START, grouper);
      }
      if (goesOn(goesOn)) {
        grouper.end();
        compact();
      }
    } finally {
      tally.add(grouper.uncommitted());
    }
  }

  private boolean goesOn(BooleanSupplier goesOn) {
    return !plan.limits().isExceededSoFar(rejects.batch().counts()) && goesOn.getAsBoolean();
  }

  private Grouping grouping(BooleanSupplier goesOn) {
    ReadListener watch =
        (points, bytes) -> {
          rejects.flushIfLarge();
          return goesOn(goesOn);
        };
    SpillTarget target =
        (run, upTo, drained) -> {
          tally.add(drained);
          if (run != null) {
            runs.add(run);
          }
        };
    return new Grouping(
        memoryBytes,
        plan.refusedFrom(),
        plan.onConflict(),
        plan.rowKey(),
        NamesParser.of(plan.config(), NameRules.NONE),
        resolver,
        rejects.batch()::reject,
        new RunSpills(directory, target),
        watch);
  }

  private void compact() throws IOException {
    List<RunFile> left =
        new RunCompactor(
                directory,
                plan.onConflict(),
                plan.rowKey(),
                RunMerger.fanIn(memoryBytes, 1),
                (old, run, drained) -> tally.add(drained))
            .compact(runs);
    runs.clear();
    runs.addAll(left);
  }

  /** The runs, in the order of the input. */
  List<RunFile> runs() {
    return runs;
  }

  Tally tally() {
    return tally;
  }
}
