package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.report.RejectSample;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.format.uid.UidKind;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The books of all units together. Not thread-safe. */
final class ReadBooks implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int maxSamples;
  private final Tally tally = new Tally();
  private final Tally rejected = new Tally();
  private final PointsByMetric metrics = new PointsByMetric();
  private final ArrayList<RejectSample> samples = new ArrayList<>();
  private final ArrayList<String> rejectFiles = new ArrayList<>();
  private final EnumMap<UidKind, Long> uids = new EnumMap<>(UidKind.class);
  private final LinkedHashSet<InfluxContext> influxContexts = new LinkedHashSet<>();
  private long oldestMillis = Long.MAX_VALUE;
  private @Nullable Refusal refusal;
  private int units;
  private boolean complete = true;

  ReadBooks(int maxSamples) {
    this.maxSamples = maxSamples;
  }

  /** Adds a unit; they come in the order of the input. */
  void add(UnitBooks unit) {
    units++;
    complete &= unit.read();
    tally.add(unit.tally());
    rejected.add(unit.rejected());
    metrics.add(unit.metrics());
    oldestMillis = Math.min(oldestMillis, unit.oldestMillis());
    unit.uids().forEach((kind, assigned) -> uids.merge(kind, assigned, Long::sum));
    influxContexts.addAll(unit.influxContexts());
    for (RejectSample sample : unit.samples()) {
      if (samples.size() < maxSamples) {
        samples.add(sample);
      }
    }
    rejectFiles.addAll(unit.rejectFiles());
    if (refusal == null) {
      refusal = unit.refusal();
    }
  }

  /** Databases and retention policies of the lines of InfluxDB exports. */
  Set<InfluxContext> influxContexts() {
    return influxContexts;
  }

  int units() {
    return units;
  }

  /** Whether every unit was read. */
  boolean complete() {
    return complete;
  }

  Tally tally() {
    return tally;
  }

  Tally rejected() {
    return rejected;
  }

  /** Accepted points by metric. */
  PointsByMetric metrics() {
    return metrics;
  }

  /** The first rejects. */
  List<RejectSample> samples() {
    return Collections.unmodifiableList(samples);
  }

  /** Names of files of rejected lines. */
  List<String> rejectFiles() {
    return Collections.unmodifiableList(rejectFiles);
  }

  /** See {@link UnitBooks#oldestMillis}. */
  long oldestMillis() {
    return oldestMillis;
  }

  /** UIDs assigned. */
  long uids(UidKind kind) {
    return uids.getOrDefault(kind, 0L);
  }

  /** The first one; null if no unit was refused. */
  @Nullable Refusal refusal() {
    return refusal;
  }
}
