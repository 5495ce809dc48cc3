package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The snapshots that a run reads.
 *
 * @param data of the data table
 * @param uids of the UID table; null when names come from a live HBase
 */
record RunSnapshots(Snapshot data, Snapshot uids) {

  /** Creation times by the options that name the snapshots. */
  Map<String, String> times() {
    Map<String, String> times = new LinkedHashMap<>();
    times.put("--data-snapshot", time(data).toString());
    if (uids != null) {
      times.put("--uid-snapshot", time(uids).toString());
    }
    return times;
  }

  private static Instant time(Snapshot snapshot) {
    return Instant.ofEpochMilli(snapshot.creationTime());
  }

  /**
   * Warns if the data snapshot may lack points.
   *
   * @param to end of the window, exclusive, seconds since the epoch
   * @param warnings receives the warnings
   */
  void warnIfIncomplete(long to, List<String> warnings) {
    if (data.creationTime() < to * 1000) {
      warnings.add(
          "the window ends after the snapshot was taken ("
              + time(data)
              + "): its last hours are incomplete");
    }
  }
}
