package io.tsdbsuite.rollup.report;

/** Why a row was read and rightly gave no rollup. */
public enum SkipReason {
  /** Met on the way from one stretch of the window to the next; the rest was never read. */
  OUTSIDE_WINDOW("outsideWindow", "outside window"),
  /** Has annotations or histograms, and no points. */
  ANNOTATION_OR_HISTOGRAM("annotationOrHistogramOnly", "annotation or histogram only"),
  /** Its metric is not wanted; the other rows of the metric were never read. */
  EXCLUDED_METRIC("excludedMetric", "excluded metric"),
  /** Has nothing that counts: empty values, NaN points or columns that OpenTSDB ignores. */
  EMPTY("empty", "empty");

  private final String key;
  private final String text;

  SkipReason(String key, String text) {
    this.key = key;
    this.text = text;
  }

  /** The name in the JSON report. */
  public String key() {
    return key;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
