package io.tsdbsuite.rollup.report;

import java.util.Map;

/**
 * What two runs must have in common for one to go on where the other ended.
 *
 * @param version of the job
 * @param options every option that decides what is read and what is emitted where, by its name, as
 *     text; sorted
 * @param snapshots when the snapshots were taken, by the option that names them; empty until they
 *     were looked at
 * @param target what is known of the place that is written to, by names for messages; empty until
 *     it was looked at
 * @param plan the plan's fingerprint; null until there is one
 */
public record RunIdentity(
    String version,
    Map<String, String> options,
    Map<String, String> snapshots,
    Map<String, String> target,
    String plan) {

  /** Before anything was looked at. */
  public RunIdentity(String version, Map<String, String> options) {
    this(version, options, Map.of(), Map.of(), null);
  }

  /** With the times of the snapshots. */
  public RunIdentity withSnapshots(Map<String, String> times) {
    return new RunIdentity(version, options, times, target, plan);
  }

  /** With what is known of the place that is written to. */
  public RunIdentity withTarget(Map<String, String> found) {
    return new RunIdentity(version, options, snapshots, found, plan);
  }

  /** With the plan's fingerprint. */
  public RunIdentity withPlan(String fingerprint) {
    return new RunIdentity(version, options, snapshots, target, fingerprint);
  }
}
