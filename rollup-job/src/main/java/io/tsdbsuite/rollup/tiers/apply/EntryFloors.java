package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The floors of a policy's entries in a coverage table: raises them before a cell goes, and lowers
 * those again below which nothing was deleted, also after the apply that has raised them was
 * killed.
 *
 * @param level of the floors
 * @param now makes the evidence of a floor that of one apply
 */
record EntryFloors(CoverageTable table, String level, Policy policy, Instant now) {
  /** The first part of their writers. */
  static final String WRITER = "tiers-";

  /** The metrics of an entry's floor. */
  static String metrics(Policy policy, Policy.Entry entry) {
    return String.join(",", policy.metrics(entry));
  }

  /** Distinguishes the floor of an entry from that of another selection. */
  static String writer(Policy policy, Policy.Entry entry) {
    return writer(policy.metrics(entry));
  }

  /** The writer of the floor of a selection of metrics. */
  static String writer(List<String> metrics) {
    byte[] selection = String.join(",", metrics).getBytes(StandardCharsets.UTF_8);
    return WRITER + RegionNames.sha256(selection).substring(0, 16);
  }

  /** A floor of a level among others; null if there is none. */
  static @Nullable CoverageFloor find(List<CoverageFloor> floors, String level, String writer) {
    for (CoverageFloor floor : floors) {
      if (floor.level().equals(level) && floor.writer().equals(writer)) {
        return floor;
      }
    }
    return null;
  }

  /**
   * Raises the floors over days that are not done.
   *
   * @param before called before each
   * @return those that stand now
   * @throws IOException when HBase or storage fails
   * @throws JobException usage, when the coverage table does not take it
   */
  List<CoverageFloor> raise(List<ProvenRows> days, Runnable before) throws IOException {
    Map<Policy.Entry, List<ProvenRows>> byEntry = new LinkedHashMap<>();
    days.forEach(day -> byEntry.computeIfAbsent(day.entry(), any -> new ArrayList<>()).add(day));
    List<CoverageFloor> raised = new ArrayList<>();
    for (List<ProvenRows> ofEntry : byEntry.values()) {
      before.run();
      try {
        raised.add(raise(ofEntry));
      } catch (CoverageRefusedException e) {
        throw JobException.usage(String.valueOf(e.getMessage()), e);
      }
    }
    return raised;
  }

  private CoverageFloor raise(List<ProvenRows> days) throws IOException, CoverageRefusedException {
    ProvenRows last = days.get(days.size() - 1);
    String writer = writer(policy, last.entry());
    String metrics = metrics(policy, last.entry());
    CoverageFloor old = find(table.floors(), level, writer);
    RaisedFloor known = null;
    Set<String> together = new LinkedHashSet<>();
    for (ProvenRows day : days) {
      RaisedFloor mark = day.dir().raisedFloor();
      known = mark != null && mark.is(old) ? mark : known;
      together.add(day.proof().sha256());
    }
    CoverageFloor former = old;
    if (known != null) {
      // An apply that was killed has raised it: it is still to be lowered to what it was before.
      former = known.former(level);
      together.addAll(known.together());
    }
    Proof proof = last.proof();
    CoverageFloor floor =
        new CoverageFloor(
            level,
            writer,
            old == null ? last.to() : Math.max(old.before(), last.to()),
            metrics,
            "rollup-job tiers apply of %s, proof %s".formatted(now, proof.sha256()),
            proof.data().created().toEpochMilli());
    RaisedFloor mark =
        new RaisedFloor(
            writer,
            metrics,
            floor.before(),
            floor.evidence(),
            former == null ? 0 : former.before(),
            former == null ? "" : former.evidence(),
            former == null ? 0 : former.asOf(),
            List.copyOf(together));
    for (ProvenRows day : days) {
      if (!day.loading()) {
        day.dir().raisedFloor(mark);
      }
    }
    if (old == null || old.before() < floor.before()) {
      table.raise(floor, now.toEpochMilli());
    } else {
      // As high, but with this evidence: an apply that has raised it must not lower it any more.
      table.lower(old, floor);
    }
    return floor;
  }

  /**
   * Lowers the floors of days of which nothing will be deleted now. One stays if some day that it
   * was raised for has lost cells, or another apply needs it.
   *
   * @param dirs of days whose load has not begun
   * @param dir gives the directory of a proof
   * @return what was done, a sentence each
   * @throws IOException when HBase or storage fails
   */
  List<String> lower(List<MarkerDir> dirs, MarkerDirs dir) throws IOException {
    Set<String> done = new LinkedHashSet<>();
    for (MarkerDir each : dirs) {
      RaisedFloor raised = each.raisedFloor();
      CoverageFloor stored = raised == null ? null : find(floors(), level, raised.writer());
      if (raised == null || !raised.is(stored)) {
        continue;
      }
      boolean deleted = false;
      for (String proof : raised.together()) {
        deleted |= dir.of(proof).loadingInto() != null;
      }
      if (deleted) {
        done.add("the floor of " + raised.metrics() + " stays, because rows below it were deleted");
      } else {
        table.lower(Objects.requireNonNull(stored), raised.former(level));
        done.add(
            "nothing was deleted below it, so the floor of "
                + raised.metrics()
                + " is again what it was: "
                + (raised.formerBefore() == 0
                    ? "none"
                    : Instant.ofEpochSecond(raised.formerBefore())));
      }
    }
    return List.copyOf(done);
  }

  /** The directories of proofs. */
  @FunctionalInterface
  interface MarkerDirs {
    /** The directory of a proof's markers, by the SHA-256 of the proof. */
    MarkerDir of(String proof) throws IOException;
  }

  private List<CoverageFloor> floors() throws IOException {
    try {
      return table.floors();
    } catch (CoverageRefusedException e) {
      return List.of();
    }
  }
}
