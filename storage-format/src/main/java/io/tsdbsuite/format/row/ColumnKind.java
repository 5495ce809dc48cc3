package io.tsdbsuite.format.row;

/**
 * The kind of a column of a raw row, determined from its qualifier alone.
 *
 * <pre>
 *   length   first byte    kind
 *   0        -             CORRUPT
 *   2        0. .. e.      SECONDS_POINT
 *   2        f.            CORRUPT
 *   4        f.            MILLIS_POINT
 *   even     any other     COMPACTED
 *   3, 5     01            ANNOTATION
 *   3        05            APPEND
 *   odd      05            CORRUPT, if not 3
 *   3, 5     06            HISTOGRAM
 *   odd      any other     UNKNOWN
 * </pre>
 *
 * <p>Source: docs/storage.md 2.1.
 */
public enum ColumnKind {
  /** One point, its offset in seconds. */
  SECONDS_POINT,
  /** One point, its offset in milliseconds. */
  MILLIS_POINT,
  /** Several points, their qualifiers and values joined. */
  COMPACTED,
  /** Several points in the value of one column. */
  APPEND,
  /** An annotation, JSON. */
  ANNOTATION,
  /** A histogram. */
  HISTOGRAM,
  /** A column of an unknown kind; OpenTSDB 2.4 ignores it. */
  UNKNOWN,
  /** An illegal qualifier. */
  CORRUPT;

  /** The kind of a column; looks at the length and the first byte only. */
  public static ColumnKind of(byte[] q, int off, int len) {
    if (len == 0) {
      return CORRUPT;
    }
    byte first = q[off];
    if ((len & 1) == 0) {
      if (len > 4 || (len == 4 && !Qualifier.isMillis(first))) {
        return COMPACTED;
      }
      if (len == 4) {
        return MILLIS_POINT;
      }
      return Qualifier.isMillis(first) ? CORRUPT : SECONDS_POINT;
    }
    if (first == AppendCell.PREFIX) {
      return len == AppendCell.QUALIFIER_LENGTH ? APPEND : CORRUPT;
    }
    if (AnnotationColumn.is(q, off, len)) {
      return ANNOTATION;
    }
    if (HistogramColumn.is(q, off, len)) {
      return HISTOGRAM;
    }
    return UNKNOWN;
  }
}
