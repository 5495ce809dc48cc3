package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;

/** Receives the points and rejects of a {@link PointReader}, in the order of the input. */
public interface PointHandler {
  /**
   * An integer.
   *
   * @param series valid until the call returns
   * @param timestamp since the epoch, UTC: seconds if it fits in 32 bits, else milliseconds, as the
   *     TSD decides; positive, its base time at most 2^32-1
   */
  void integer(SeriesText series, long timestamp, long value) throws IOException;

  /**
   * A finite floating point number.
   *
   * @param timestamp as above
   */
  void floating(SeriesText series, long timestamp, double value) throws IOException;

  /**
   * A line, or the part of a document that should have been a point, that cannot be loaded.
   *
   * @param line line in the part, from 1
   * @param detail the rule and the value found
   * @param text the line as it was read, without its end
   */
  void rejected(RejectReason reason, long line, String detail, byte[] text, int off, int len)
      throws IOException;

  /** A blank line, a comment, or a statement of an InfluxDB export. */
  void withoutPoint();

  /**
   * A line that is skipped on purpose, unparsed.
   *
   * @param reason the count that it adds to
   */
  void skipped(Count reason);

  /**
   * Everything before this position was handed over, and nothing after it. Called at least once per
   * megabyte of input or so, and at the end of the part.
   *
   * @return false to stop reading
   */
  boolean at(Position position) throws IOException;
}
