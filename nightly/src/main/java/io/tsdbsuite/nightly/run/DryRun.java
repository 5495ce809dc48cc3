package io.tsdbsuite.nightly.run;

import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.snapshot.RootSnapshots;
import io.tsdbsuite.nightly.snapshot.SnapshotExport;
import io.tsdbsuite.nightly.snapshot.SnapshotKind;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.run.ShellWords;
import java.util.List;
import java.util.function.Consumer;

/** The snapshots and exports that a run would make. */
final class DryRun {
  private final Context context;
  private final Nights nights;

  DryRun(Context context, Nights nights) {
    this.context = context;
    this.nights = nights;
  }

  /** A step and its command. */
  static String line(String step, List<String> command) {
    return step + ": " + ShellWords.join(command);
  }

  /** A line for each snapshot and each export. */
  void tell(Consumer<String> lines) {
    NightlyConfig config = context.config();
    if (!config.snapshots().take() || nights.live().isEmpty()) {
      return;
    }
    if (nights.takenLater().isPresent()) {
      lines.accept("snapshots: none are taken before " + nights.takenLater().get());
      return;
    }
    SnapshotKind kind = SnapshotKind.of(config);
    Night night = kind.night(nights.today());
    boolean exists =
        nights.live().get().nights().stream().anyMatch(one -> one.night().equals(night));
    if (!exists) {
      lines.accept(
          "snapshots: "
              + night.dataSnapshot()
              + " and "
              + night.uidSnapshot()
              + " would be taken first; they may hold more days than these");
    }
    if (config.place().isExported()) {
      RootSnapshots exports =
          new RootSnapshots(context.hadoop(), config.place().exportRoot(), kind);
      SnapshotExport export = new SnapshotExport(config, context.children(), exports);
      for (String name : List.of(night.dataSnapshot(), night.uidSnapshot())) {
        if (exports.find(name).isEmpty()) {
          lines.accept(line("export", export.shown(name, exports.isHalf(name))));
        }
      }
    }
  }
}
