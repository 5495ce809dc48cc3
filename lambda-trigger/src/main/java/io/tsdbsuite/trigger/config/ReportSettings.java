package io.tsdbsuite.trigger.config;

import io.tsdbsuite.trigger.s3.S3Location;
import java.util.Map;

/**
 * What ReportHandler needs.
 *
 * @param reportRoot REPORT_ROOT: reports elsewhere are refused
 * @param namespace METRICS_NAMESPACE
 */
public record ReportSettings(S3Location reportRoot, String namespace) {

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static ReportSettings read(Map<String, String> environment) {
    Variables variables = new Variables(environment);
    S3Location reports = variables.parsed("REPORT_ROOT", S3Location::parse);
    String namespace = variables.required("METRICS_NAMESPACE");
    variables.requireNoProblem();
    return new ReportSettings(reports, namespace);
  }
}
