package io.tsdbsuite.trigger.config;

import io.tsdbsuite.trigger.s3.S3Location;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of ReportHandler.
 *
 * @param reportRoot REPORT_ROOT: reports elsewhere are rejected
 * @param namespace METRICS_NAMESPACE
 */
public record ReportSettings(S3Location reportRoot, String namespace) {

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static ReportSettings read(Map<String, String> environment) {
    EnvironmentReader variables = new EnvironmentReader(environment);
    Optional<S3Location> reports = variables.parsed("REPORT_ROOT", S3Location::parse);
    String namespace = variables.required("METRICS_NAMESPACE");
    return new ReportSettings(variables.complete(reports), namespace);
  }
}
