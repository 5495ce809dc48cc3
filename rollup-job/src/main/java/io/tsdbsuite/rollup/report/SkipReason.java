package io.tsdbsuite.rollup.report;

/** Reasons why a row correctly produced no rollup. */
public enum SkipReason implements Tally.Reason {
  /** Read between two ranges of the window; the other rows outside were skipped by a seek. */
  OUTSIDE_WINDOW("outsideWindow", "outside window"),
  /** Has annotations or histograms, and no points. */
  ANNOTATION_OR_HISTOGRAM("annotationOrHistogramOnly", "annotation or histogram only"),
  /** The metric filter excludes its metric; the other rows of the metric were skipped by a seek. */
  EXCLUDED_METRIC("excludedMetric", "excluded metric"),
  /** Has only empty values, NaN points or columns that OpenTSDB ignores. */
  EMPTY("empty", "empty"),
  /**
   * Begins below the floor of its metric: its points may be gone, and its rollups be the only data.
   * The other such rows of the metric were skipped by a seek, but those that have changed.
   */
  BELOW_FLOOR("belowFloor", "below the floor");

  private final String key;
  private final String text;

  SkipReason(String key, String text) {
    this.key = key;
    this.text = text;
  }

  /** The name in the JSON report. */
  @Override
  public String key() {
    return key;
  }

  /** The text in the table. */
  public String text() {
    return text;
  }
}
