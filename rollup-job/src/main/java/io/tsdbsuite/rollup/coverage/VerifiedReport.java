package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.load.EvidenceReport;
import io.tsdbsuite.rollup.load.TableFacts;
import io.tsdbsuite.rollup.verify.RegionNames;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The report of a {@code rollup-job verify} that proves its window: it compared everything and
 * found no difference.
 *
 * @param hash SHA-256 of its bytes, hex digits
 */
record VerifiedReport(String hash, EvidenceReport report) {
  private static final int DIGITS = 16;

  /**
   * Reads a report.
   *
   * @param name of the file, for messages and the evidence
   * @throws JobException usage, naming all that is not as it must be
   */
  static VerifiedReport read(String name, byte[] json) {
    VerifiedReport verified =
        new VerifiedReport(RegionNames.sha256(json), EvidenceReport.read(name, json));
    verified.check();
    verified.report.requireGood();
    return verified;
  }

  private void check() {
    expect("/report", VerifyReport.NAME);
    expect("/v", Integer.toString(VerifyReport.VERSION));
    if (!report.isGood()) {
      return;
    }
    expect("/state", "ended");
    expect("/exitCode", "0");
    expect("/booksClose", "true");
    expect("/sample/fraction", "1.0");
    report.require(
        "/gaps",
        "must be there and empty, so that nothing was left out",
        at -> at.isArray() && at.isEmpty());
    report.require(
        "/stored/malformed",
        "must be 0, of snapshots of the rollup tables",
        EvidenceReport.is("0"));
    for (String kind : List.of("missing", "extra", "different")) {
      report.require("/compared/" + kind, "must be 0", EvidenceReport.is("0"));
    }
    report.require(
        "/compared/rollups",
        "must be a number above 0, that of /compared/equal",
        at ->
            at.isIntegralNumber()
                && at.longValue() > 0
                && at.longValue() == report.root().at("/compared/equal").longValue());
    report.time("/window/from");
    report.time("/window/to");
    report.time("/input/dataSnapshotTime");
    report.time("/stored/oldestCell");
    text("/input/dataSnapshot");
    text("/input/dataTable");
    text("/input/metrics");
    text("/window/interval");
    for (String interval : intervals()) {
      text("/input/rollupTable " + interval);
      text("/input/rollupRegions " + interval);
      report.time("/input/rollupSnapshotTime " + interval);
      expect("/compared/byInterval/" + interval + "/missing", "0");
    }
  }

  private void expect(String field, String wanted) {
    report.require(field, "must be " + wanted, EvidenceReport.is(wanted));
  }

  private void text(String field) {
    report.require(field, "must be there", at -> at.isTextual() && !at.textValue().isEmpty());
  }

  private String value(String field) {
    return report.value(field);
  }

  private long millis(String field) {
    return Instant.parse(value(field)).toEpochMilli();
  }

  /** The intervals that were compared. */
  List<String> intervals() {
    return List.of(value("/window/interval").split(",", -1));
  }

  /** The rollup table of an interval. */
  String table(String interval) {
    return value("/input/rollupTable " + interval);
  }

  /** {@link RegionNames#hash} of the regions that the snapshot of a rollup table had. */
  String regions(String interval) {
    return value("/input/rollupRegions " + interval);
  }

  /** When the snapshot of a rollup table was taken. */
  Instant snapshotTime(String interval) {
    return Instant.parse(value("/input/rollupSnapshotTime " + interval));
  }

  /** Name of the snapshot of the raw points. */
  String dataSnapshot() {
    return value("/input/dataSnapshot");
  }

  /** When it was taken. */
  Instant dataSnapshotTime() {
    return Instant.parse(value("/input/dataSnapshotTime"));
  }

  /** The table of the raw points. */
  String dataTable() {
    return value("/input/dataTable");
  }

  /**
   * What the report proves: a window for each interval.
   *
   * @param ttlSeconds how long a rollup table keeps cells; {@link TableFacts#FOREVER}: always
   * @throws JobException usage, when no reader of the coverage would take a window
   */
  List<CoverageWindow> windows(ToLongFunction<String> ttlSeconds) {
    List<CoverageWindow> windows = new ArrayList<>();
    for (String interval : intervals()) {
      CoverageWindow window =
          CoverageWindow.of(
              interval,
              millis("/window/from") / 1000,
              millis("/window/to") / 1000,
              "verify-" + hash.substring(0, DIGITS),
              table(interval),
              millis("/input/dataSnapshotTime"),
              value("/input/metrics"),
              evidence());
      long ttl = ttlSeconds.applyAsLong(table(interval));
      windows.add(
          ttl == TableFacts.FOREVER
              ? window
              : window.expiring(millis("/stored/oldestCell") + ttl * 1000));
    }
    try {
      windows.forEach(CoverageRows::columns);
    } catch (IllegalArgumentException e) {
      throw JobException.usage("--evidence " + report.name() + ": " + e.getMessage(), e);
    }
    return windows;
  }

  private String evidence() {
    return "rollup-job verify of snapshot %s, report %s, SHA-256 %s"
        .formatted(value("/input/dataSnapshot"), report.name(), hash);
  }
}
