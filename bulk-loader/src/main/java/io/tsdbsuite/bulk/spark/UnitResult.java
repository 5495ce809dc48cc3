package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.report.RejectSample;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.run.BelowFloors;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Result of the reading of a unit of the input, or of several units. It goes through the shuffle as
 * rows do, so it counts once even if Spark repeats the task.
 *
 * @param units number of units
 * @param tally counters of reading and sorting
 * @param rejected rejects by reason: the rejects of {@code tally} and, if the unit was not read to
 *     its end, later ones
 * @param metrics accepted points by metric; empty if the unit was refused
 * @param samples the first of these rejects
 * @param rejectFiles names of the files with all of these rejects
 * @param oldestMillis time of the newest point of the oldest row, milliseconds since the epoch;
 *     {@link Long#MAX_VALUE} if it is not needed
 * @param below points below the floor of their metric
 * @param uids UIDs assigned, by kind
 * @param influxContexts databases and retention policies of the lines of InfluxDB exports
 * @param failure the first one; null if all units were accepted
 * @param read whether all were read: a unit is not if another one was refused before
 */
record UnitResult(
    int units,
    Tally tally,
    Tally rejected,
    PointsByMetric metrics,
    List<RejectSample> samples,
    List<String> rejectFiles,
    long oldestMillis,
    BelowFloors below,
    Map<UidKind, Long> uids,
    Set<InfluxContext> influxContexts,
    @Nullable PermanentFailure failure,
    boolean read)
    implements Serializable {
  /** The result of a unit that was not read. */
  static UnitResult unread() {
    return new UnitResult(
        1,
        new Tally(),
        new Tally(),
        new PointsByMetric(),
        List.of(),
        List.of(),
        Long.MAX_VALUE,
        new BelowFloors(List.of()),
        Map.of(),
        Set.of(),
        null,
        false);
  }

  /**
   * The sum of the results of all units.
   *
   * @param records of the shuffle, in the order of the input
   * @param maxSamples rejects to keep
   */
  private static UnitResult sum(Iterator<Tuple2<byte[], byte[]>> records, int maxSamples) {
    Tally tally = new Tally();
    Tally rejected = new Tally();
    PointsByMetric metrics = new PointsByMetric();
    ArrayList<RejectSample> samples = new ArrayList<>();
    ArrayList<String> rejectFiles = new ArrayList<>();
    long oldestMillis = Long.MAX_VALUE;
    BelowFloors below = new BelowFloors(List.of());
    EnumMap<UidKind, Long> uids = new EnumMap<>(UidKind.class);
    LinkedHashSet<InfluxContext> influxContexts = new LinkedHashSet<>();
    PermanentFailure failure = null;
    int count = 0;
    boolean read = true;
    while (records.hasNext()) {
      UnitResult unit = JavaBytes.read(records.next()._2(), UnitResult.class);
      count += unit.units;
      read &= unit.read;
      tally.add(unit.tally);
      rejected.add(unit.rejected);
      metrics.add(unit.metrics);
      oldestMillis = Math.min(oldestMillis, unit.oldestMillis);
      below.add(unit.below);
      unit.uids.forEach((kind, assigned) -> uids.merge(kind, assigned, Long::sum));
      influxContexts.addAll(unit.influxContexts);
      unit.samples.stream().limit(maxSamples - samples.size()).forEach(samples::add);
      rejectFiles.addAll(unit.rejectFiles);
      failure = failure == null ? unit.failure : failure;
    }
    return new UnitResult(
        count,
        tally,
        rejected,
        metrics,
        samples,
        rejectFiles,
        oldestMillis,
        below,
        uids,
        influxContexts,
        failure,
        read);
  }

  /** Adds up the results of a partition of the shuffle. */
  record Sum(int maxSamples) implements PartitionTask {
    @Override
    public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
      return JavaBytes.of(sum(records, maxSamples));
    }
  }
}
