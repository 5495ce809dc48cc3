package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.RejectSample;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.format.uid.UidKind;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The books of all units together. Not safe to share. */
final class ReadBooks implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int maxSamples;
  private final Tally tally = new Tally();
  private final Tally rejected = new Tally();
  private final ArrayList<RejectSample> samples = new ArrayList<>();
  private final TreeMap<Integer, String> rejectFiles = new TreeMap<>();
  private final EnumMap<UidKind, Long> uids = new EnumMap<>(UidKind.class);
  private long oldestMillis = Long.MAX_VALUE;
  private Refusal refusal;
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
    oldestMillis = Math.min(oldestMillis, unit.oldestMillis());
    unit.uids().forEach((kind, assigned) -> uids.merge(kind, assigned, Long::sum));
    for (RejectSample sample : unit.samples()) {
      if (samples.size() < maxSamples) {
        samples.add(sample);
      }
    }
    if (!unit.rejectFile().isEmpty()) {
      rejectFiles.put(unit.unit(), unit.rejectFile());
    }
    if (refusal == null) {
      refusal = unit.refusal();
    }
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

  /** The first rejects. */
  List<RejectSample> samples() {
    return Collections.unmodifiableList(samples);
  }

  /** Names of files of rejected lines, by unit. */
  SortedMap<Integer, String> rejectFiles() {
    return Collections.unmodifiableSortedMap(rejectFiles);
  }

  /** As {@link UnitBooks#oldestMillis}. */
  long oldestMillis() {
    return oldestMillis;
  }

  /** UIDs assigned. */
  long uids(UidKind kind) {
    return uids.getOrDefault(kind, 0L);
  }

  /** The first one; null if all units were taken. */
  Refusal refusal() {
    return refusal;
  }
}
