package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.input.PartReader;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.parallel.IdleThreads;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Reads the input into runs, from the last checkpoint. */
final class ReadPhase {
  private final LoadInput input;
  private final LoadState before;
  private final Path runs;
  private final Consumer<Tally> uncommitted;
  private final Queue<InputUnit> waiting = new ConcurrentLinkedQueue<>();

  /**
   * @param runs directory that gets the sorted points; failures of input name their files
   *     themselves
   * @param uncommitted receives from each thread the counters since the last commit of a unit, when
   *     reading ends before the unit does
   */
  ReadPhase(LoadInput input, LoadState before, Path runs, Consumer<Tally> uncommitted) {
    this.runs = runs;
    this.input = input;
    this.before = before;
    this.uncommitted = uncommitted;
    for (InputUnit unit : input.units()) {
      if (!before.unit(unit.ordinal()).done()) {
        waiting.add(unit);
      }
    }
  }

  /**
   * Reads all of it.
   *
   * @param threads number of threads; those without a unit help the others
   * @param count receives the stored bytes that were read, from all threads
   * @param groupers makes one for a thread, which calls its argument to learn whether to go on
   */
  void run(int threads, LongConsumer count, Function<BooleanSupplier, Grouper> groupers) {
    Workers workers = new Workers("reading", "sorting the input in " + runs, threads);
    IdleThreads idle = new IdleThreads(threads);
    workers.run(
        () -> {
          try {
            readUnits(groupers, new PartReader(input.formats(), count, idle), workers);
          } finally {
            idle.leave();
          }
          idle.help();
        });
  }

  private void readUnits(
      Function<BooleanSupplier, Grouper> groupers, PartReader reader, Workers workers)
      throws IOException {
    InputUnit unit = waiting.poll();
    if (unit == null) {
      return;
    }
    Grouper grouper = groupers.apply(workers::goesOn);
    while (unit != null && workers.goesOn()) {
      try {
        read(unit, grouper, reader, workers);
      } finally {
        uncommitted.accept(grouper.uncommitted());
      }
      unit = waiting.poll();
    }
  }

  private void read(InputUnit unit, Grouper grouper, PartReader reader, Workers workers)
      throws IOException {
    LoadState.UnitProgress done = before.unit(unit.ordinal());
    grouper.begin(
        new ReadCheckpoint(unit.ordinal(), done.spills(), done.part(), done.position(), false));
    for (int part = done.part(); part < unit.parts().size(); part++) {
      Position from = part == done.part() ? done.position() : Position.START;
      InputPart next = unit.parts().get(part);
      grouper.part(part, next.name(), input.formats().of(next.file()).rejectForm(), from);
      reader.read(next, from, grouper);
      if (!workers.goesOn()) {
        return;
      }
    }
    grouper.end();
  }
}
