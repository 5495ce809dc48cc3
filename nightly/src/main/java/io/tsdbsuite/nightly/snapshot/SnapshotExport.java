package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.process.Children;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Exports snapshots with HBase's ExportSnapshot. An export that is finished stays; one that was
 * broken off, or is of an older snapshot of the same name, is made again.
 */
public record SnapshotExport(NightlyConfig config, Children children, RootSnapshots exports) {
  /**
   * Exports the snapshots of nights that are not there: the newest one, and those of which an
   * export was broken off.
   *
   * @param live the nights on HBase
   * @param newest the name of the data snapshot of this run
   * @return the names of the snapshots that were exported
   * @throws JobException outside, if ExportSnapshot fails
   */
  public List<String> run(List<NightSnapshots> live, String newest) {
    List<String> done = new ArrayList<>();
    for (NightSnapshots night : live) {
      String data = night.night().dataSnapshot();
      String uid = night.night().uidSnapshot();
      if (data.equals(newest) || exports.isHalf(data) || exports.isHalf(uid)) {
        FoundSnapshot first =
            new FoundSnapshot(data, config.place().dataTable(), night.times().data());
        FoundSnapshot second =
            new FoundSnapshot(uid, config.place().uidTable(), night.times().uid());
        for (FoundSnapshot snapshot : List.of(first, second)) {
          if (!isDone(snapshot)) {
            export(snapshot.name());
            done.add(snapshot.name());
          }
        }
      }
    }
    return done;
  }

  private boolean isDone(FoundSnapshot snapshot) {
    Optional<FoundSnapshot> found = exports.find(snapshot.name());
    return found.isPresent() && found.get().created().equals(snapshot.created());
  }

  private void export(String name) {
    boolean replaces = exports.isHalf(name) || exports.find(name).isPresent();
    String step = "export-" + name;
    int status =
        children.run(step, command(name, replaces, List.of("-D" + children.mark()))).status();
    if (status != 0) {
      throw JobException.outside(
          "ExportSnapshot of %s ended with status %s, see %s"
              .formatted(name, status, children.log(step)));
    }
    if (exports.find(name).isEmpty()) {
      throw JobException.outside(
          "ExportSnapshot of %s ended with status 0, but the snapshot is not in %s, see %s"
              .formatted(name, config.place().exportRoot(), children.log(step)));
    }
  }

  /** The command that exports a snapshot, for people: without the mark of a child process. */
  public List<String> shown(String name, boolean replaces) {
    return command(name, replaces, List.of());
  }

  private List<String> command(String name, boolean replaces, List<String> marks) {
    List<String> command = new ArrayList<>(config.snapshots().exportCommand());
    command.addAll(marks);
    config.clients().hadoop().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-snapshot", name, "-copy-to", config.place().exportRoot()));
    if (replaces) {
      command.add("-overwrite");
    }
    command.addAll(config.snapshots().exportOptions());
    return command;
  }
}
