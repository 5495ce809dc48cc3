package io.tsdbsuite.rollup.input;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The snapshots that a run reads.
 *
 * @param data of the data table
 * @param uids of the UID table; empty when names do not come from one
 */
public record RunSnapshots(Snapshot data, Optional<UidSnapshot> uids) {

  /** Creation times by the options that name the snapshots. */
  public Map<String, String> times() {
    Map<String, String> times = new LinkedHashMap<>();
    times.put("--data-snapshot", time(data).toString());
    uids.ifPresent(snapshot -> times.put("--uid-snapshot", time(snapshot.names()).toString()));
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
  public void warnIfIncomplete(long to, List<String> warnings) {
    if (data.creationTime() < to * 1000) {
      warnings.add(
          "the window ends after the snapshot was taken (%s): its last hours are incomplete"
              .formatted(time(data)));
    }
  }
}
