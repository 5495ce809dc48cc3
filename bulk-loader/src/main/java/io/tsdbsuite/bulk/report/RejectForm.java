package io.tsdbsuite.bulk.report;

/**
 * The formats that rejected lines are written in. Each has a file of its own, which can be loaded
 * once its lines are corrected.
 */
public enum RejectForm {
  /** Import lines: rejected lines of the input, and rejected points of any format once parsed. */
  IMPORT_LINES("txt"),
  /** One object a line, comments between them. */
  JSON("json"),
  /** InfluxDB line protocol. */
  INFLUX("influx"),
  /** Prometheus' text. */
  PROMETHEUS("prom"),
  /** OpenMetrics text. */
  OPENMETRICS("om"),
  /** JSON lines of VictoriaMetrics, a line for each point. */
  VICTORIAMETRICS("vm"),
  /** Graphite's plain text. */
  GRAPHITE("graphite");

  private final String suffix;

  RejectForm(String suffix) {
    this.suffix = suffix;
  }

  /** Suffix of the file name, without the dot; {@code --format auto} detects the format by it. */
  public String suffix() {
    return suffix;
  }
}
