package io.tsdbsuite.rollup.prune;

import java.time.LocalDate;
import java.util.List;

/** The snapshots of one date of the tables to prune. */
final class Night {
  /** What becomes of a night. */
  enum State {
    /** It stays. */
    KEPT,
    /** It is to be deleted. */
    TO_DELETE,
    /** Its manifests are deleted. */
    DELETED
  }

  private final LocalDate date;
  private final List<SnapshotDir> snapshots;
  private State state;
  private String reason;

  /**
   * @param reason why it has this state
   */
  Night(LocalDate date, List<SnapshotDir> snapshots, State state, String reason) {
    this.date = date;
    this.snapshots = List.copyOf(snapshots);
    this.state = state;
    this.reason = reason;
  }

  LocalDate date() {
    return date;
  }

  /** One for each table that has one. */
  List<SnapshotDir> snapshots() {
    return snapshots;
  }

  State state() {
    return state;
  }

  String reason() {
    return reason;
  }

  void become(State next, String why) {
    state = next;
    reason = why;
  }
}
