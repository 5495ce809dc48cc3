package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.report.RejectSample;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.format.uid.UidKind;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Books of a unit of the input. They go through the shuffle as rows do, so they count once even if
 * Spark repeats the task.
 *
 * @param tally counters of reading and sorting
 * @param rejected rejects by reason: the rejects of {@code tally} and, if the unit was not read to
 *     its end, later ones
 * @param metrics accepted points by metric; empty if the unit was refused
 * @param samples the first of these rejects
 * @param rejectFiles names of the files with all of these rejects
 * @param oldestMillis time of the newest point of the oldest row, milliseconds since the epoch;
 *     {@link Long#MAX_VALUE} if it is not needed
 * @param uids UIDs assigned, by kind
 * @param influxContexts databases and retention policies of the lines of InfluxDB exports
 * @param refusal null if the unit was accepted
 * @param read whether anything was read: not if another unit was refused before
 */
record UnitBooks(
    int unit,
    Tally tally,
    Tally rejected,
    PointsByMetric metrics,
    List<RejectSample> samples,
    List<String> rejectFiles,
    long oldestMillis,
    Map<UidKind, Long> uids,
    Set<InfluxContext> influxContexts,
    @Nullable Refusal refusal,
    boolean read)
    implements Serializable {
  /** The books of a unit that was not read. */
  static UnitBooks unread(int unit) {
    return new UnitBooks(
        unit,
        new Tally(),
        new Tally(),
        new PointsByMetric(),
        List.of(),
        List.of(),
        Long.MAX_VALUE,
        Map.of(),
        Set.of(),
        null,
        false);
  }
}
