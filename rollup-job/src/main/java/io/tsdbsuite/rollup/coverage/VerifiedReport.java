package io.tsdbsuite.rollup.coverage;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.verify.RegionNames;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The report of a {@code rollup-job verify} that proves its window: it compared everything and
 * found no difference. Immutable.
 */
final class VerifiedReport {
  /** {@code ttlSeconds} of a table whose cells do not expire. */
  static final long FOREVER = Long.MAX_VALUE;

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int DIGITS = 16;

  private final String name;
  private final String hash;
  private final JsonNode root;
  private final List<String> problems = new ArrayList<>();

  private VerifiedReport(String name, String hash, JsonNode root) {
    this.name = name;
    this.hash = hash;
    this.root = root;
  }

  /**
   * Reads a report.
   *
   * @param name of the file, for messages and the evidence
   * @throws JobException usage, naming all that is not as it must be
   */
  static VerifiedReport read(String name, byte[] json) {
    JsonNode root;
    try {
      root = MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw JobException.usage(
          "--evidence " + name + " is no report: " + JsonFailures.describe(e), e);
    } catch (IOException e) {
      throw new IllegalStateException("bytes cannot fail to be read", e);
    }
    VerifiedReport report = new VerifiedReport(name, RegionNames.sha256(json), root);
    report.check();
    if (!report.problems.isEmpty()) {
      throw JobException.usage(report.problems);
    }
    return report;
  }

  private void check() {
    expect("/report", VerifyReport.NAME);
    expect("/v", Integer.toString(VerifyReport.VERSION));
    if (!problems.isEmpty()) {
      return;
    }
    expect("/state", "ended");
    expect("/exitCode", "0");
    expect("/booksClose", "true");
    expect("/sample/fraction", "1.0");
    require(
        "/gaps",
        "must be there and empty, so that nothing was left out",
        at -> at.isArray() && at.isEmpty());
    require("/stored/malformed", "must be 0, of snapshots of the rollup tables", is("0"));
    for (String kind : List.of("missing", "extra", "different")) {
      require("/compared/" + kind, "must be 0", is("0"));
    }
    require(
        "/compared/rollups",
        "must be a number above 0, that of /compared/equal",
        at ->
            at.isIntegralNumber()
                && at.longValue() > 0
                && at.longValue() == root.at("/compared/equal").longValue());
    time("/window/from");
    time("/window/to");
    time("/input/dataSnapshotTime");
    time("/stored/oldestCell");
    text("/input/dataSnapshot");
    text("/input/dataTable");
    text("/input/metrics");
    text("/window/interval");
    for (String interval : intervals()) {
      text("/input/rollupTable " + interval);
      text("/input/rollupRegions " + interval);
      time("/input/rollupSnapshotTime " + interval);
      expect("/compared/byInterval/" + interval + "/missing", "0");
    }
  }

  private interface Rule {
    boolean holds(JsonNode found);
  }

  private static Rule is(String wanted) {
    return found -> found.isValueNode() && found.asText().equals(wanted);
  }

  private void expect(String field, String wanted) {
    require(field, "must be " + wanted, is(wanted));
  }

  private void text(String field) {
    require(field, "must be there", at -> at.isTextual() && !at.textValue().isEmpty());
  }

  private void time(String field) {
    require(
        field,
        "must be a time",
        at -> {
          try {
            return at.isTextual() && Instant.parse(at.textValue()).getEpochSecond() >= 0;
          } catch (DateTimeException e) {
            return false;
          }
        });
  }

  private void require(String field, String rule, Rule holds) {
    JsonNode found = root.at(field);
    if (!holds.holds(found)) {
      problems.add(
          "--evidence "
              + name
              + ": "
              + field
              + " "
              + rule
              + ", found "
              + (found.isMissingNode() ? "nothing" : found.toString()));
    }
  }

  private String value(String field) {
    return root.at(field).asText();
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
   * @param ttlSeconds how long a rollup table keeps cells; {@link #FOREVER}: always
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
          ttl == FOREVER ? window : window.expiring(millis("/stored/oldestCell") + ttl * 1000));
    }
    try {
      windows.forEach(CoverageRows::columns);
    } catch (IllegalArgumentException e) {
      throw JobException.usage("--evidence " + name + ": " + e.getMessage(), e);
    }
    return windows;
  }

  private String evidence() {
    return "rollup-job verify of snapshot "
        + value("/input/dataSnapshot")
        + ", report "
        + name
        + ", SHA-256 "
        + hash;
  }
}
