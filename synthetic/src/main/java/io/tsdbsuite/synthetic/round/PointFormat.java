package io.tsdbsuite.synthetic.round;

/** A text format of points. The methods are called in the order of the parts in the text. */
public interface PointFormat {
  /** Begins a batch. */
  void begin(TextBuffer out);

  /**
   * Begins a point; the caller then appends the point's value as digits.
   *
   * @param index index of the point in its batch, from 0
   */
  void point(TextBuffer out, int index, byte[] metric, long timestamp);

  /**
   * Adds a tag.
   *
   * @param index index of the tag in its point, from 0
   */
  void tag(TextBuffer out, int index, byte[] key, byte[] value);

  /** Ends a point. */
  void endPoint(TextBuffer out);

  /** Ends a batch. */
  void end(TextBuffer out);
}
