package io.tsdbsuite.rollup.report;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties that must be equal for one run to resume another.
 *
 * @param version of the job
 * @param options every option that affects the input, the output or the destination, by name, as
 *     text; sorted
 * @param snapshots creation times of the snapshots, by the option that names them; empty until they
 *     are loaded
 * @param target known properties of the destination, by names for messages; empty until it is
 *     checked
 * @param plan the plan's fingerprint; null until the plan exists
 */
public record RunIdentity(
    String version,
    Map<String, String> options,
    Map<String, String> snapshots,
    Map<String, String> target,
    @Nullable String plan) {

  /** Creates an identity before snapshots, destination and plan are known. */
  public RunIdentity(String version, Map<String, String> options) {
    this(version, options, Map.of(), Map.of(), null);
  }
}
