package io.tsdbsuite.bulk.report;

/**
 * The formats that rejected lines are written in. Each has a file of its own, which can be loaded
 * once its lines are corrected.
 */
public enum RejectForm {
  /** Import lines: those of the input, and points of any format that were parsed already. */
  IMPORT_LINES("txt"),
  /** One object a line, comments between them. */
  JSON("json"),
  /** InfluxDB line protocol. */
  INFLUX("influx"),
  /** Prometheus' text. */
  PROMETHEUS("prom"),
  /** OpenMetrics text. */
  OPENMETRICS("om");

  private final String suffix;

  RejectForm(String suffix) {
    this.suffix = suffix;
  }

  /** What the name of such a file ends with, behind a dot; {@code --format auto} goes by it. */
  public String suffix() {
    return suffix;
  }
}
