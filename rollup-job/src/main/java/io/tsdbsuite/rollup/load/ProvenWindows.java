package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The windows of a run whose rollups are all stored. */
final class ProvenWindows {
  /** For a table whose cells do not expire. */
  static final long FOREVER = Long.MAX_VALUE;

  private final Manifest manifest;
  private final String evidence;
  private final ToLongFunction<String> ttlSeconds;

  /**
   * @param evidence which report proves it
   * @param ttlSeconds how long a rollup table keeps cells; {@link #FOREVER}: always
   */
  ProvenWindows(Manifest manifest, String evidence, ToLongFunction<String> ttlSeconds) {
    this.manifest = manifest;
    this.evidence = evidence;
    this.ttlSeconds = ttlSeconds;
  }

  /** Why the run proves nothing; empty if it proves {@link #windows}. */
  static String obstacle(Manifest manifest) {
    RunProof proof = manifest.proof();
    if (proof == null) {
      return "the run was made by a version of rollup-job whose manifest does not tell whether rows"
          + " failed";
    }
    return proof.gaps().isEmpty()
        ? ""
        : "the run does not prove its window: " + String.join("; ", proof.gaps());
  }

  /**
   * The windows.
   *
   * @throws IllegalArgumentException when no reader of the coverage would take them
   */
  List<CoverageWindow> windows() {
    RunProof proof = manifest.proof();
    if (proof == null || !proof.gaps().isEmpty()) {
      return List.of();
    }
    long from = seconds("--from");
    long to = seconds("--to");
    List<CoverageWindow> windows = new ArrayList<>();
    for (Manifest.Table table : manifest.tables()) {
      if (from < to) {
        windows.add(window(table, proof, from, to, ""));
      }
      RunProof.Refresh refresh = proof.refresh();
      if (refresh != null) {
        windows.add(
            window(table, proof, refresh.from().getEpochSecond(), from, ".late")
                .refreshing(refresh.since().toEpochMilli()));
      }
    }
    windows.forEach(CoverageRows::columns);
    return windows;
  }

  private CoverageWindow window(
      Manifest.Table table, RunProof proof, long from, long to, String suffix) {
    String metrics = manifest.options().getOrDefault("--metrics", "");
    CoverageWindow window =
        CoverageWindow.of(
            table.interval(),
            from,
            to,
            "load-" + manifest.run() + suffix,
            table.name(),
            proof.readAsOf().toEpochMilli(),
            metrics.isEmpty() ? "*" : metrics,
            evidence);
    long ttl = ttlSeconds.applyAsLong(table.name());
    return ttl == FOREVER ? window : window.expiring(manifest.stamp() + ttl * 1000);
  }

  private long seconds(String option) {
    return Instant.parse(manifest.options().get(option)).getEpochSecond();
  }
}
