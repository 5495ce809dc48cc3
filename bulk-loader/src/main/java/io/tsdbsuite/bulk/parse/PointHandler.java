package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.IOException;

/** Receives the points and rejects of a {@link PointReader}, in the order of the input. */
public interface PointHandler {
  /**
   * Receives a point with an integer.
   *
   * @param series valid until the call returns
   * @param timestamp time since the epoch, UTC: seconds if it fits in 32 bits, else milliseconds,
   *     as in a TSD; positive, its base time at most 2^32-1 seconds
   */
  void integer(SeriesText series, long timestamp, long value) throws IOException;

  /**
   * Receives a point with a finite floating point number.
   *
   * @param timestamp as in {@link #integer}
   */
  void floating(SeriesText series, long timestamp, double value) throws IOException;

  /**
   * Receives a line, or an element of a document, that is not a valid point.
   *
   * @param line line in the part, from 1
   * @param detail the rule and the value found
   * @param text the line as it was read, without its end
   */
  void rejected(RejectReason reason, long line, String detail, byte[] text, int off, int len)
      throws IOException;

  /**
   * Receives a point that is left out for its value, as {@code --skip} says.
   *
   * @param kind kind of the value
   */
  void skippedPoint(SkipKind kind);

  /** A blank line, a comment, or a statement of an InfluxDB export. */
  void withoutPoint();

  /**
   * Receives a line that the reader skips on purpose, unparsed.
   *
   * @param reason the count that it adds to
   */
  void skipped(Count reason);

  /**
   * Reading begins. Called once, before all points.
   *
   * @param position of the first byte that is read: the requested one or, in a slice, behind the
   *     rest of a line that began in the slice before
   */
  default void begins(Position position) {}

  /**
   * Reports that the handler has received all points and rejects before this position, and none
   * after it. Called about once per megabyte of input or more often, and at the end of the part.
   *
   * @return false to stop reading
   */
  boolean at(Position position) throws IOException;
}
