package io.tsdbsuite.message.read;

/**
 * One object of a message, or one rollup of an object with several: a {@link SeriesElement}, or a
 * {@link BadElement}.
 */
public abstract class Element {
  private final int from;
  private final int to;
  private final int index;

  Element(ElementFields fields) {
    this(fields.from, fields.to, fields.index);
  }

  Element(int from, int to, int index) {
    this.from = from;
    this.to = to;
    this.index = index;
  }

  /** For a copy of an element of the same message. */
  Element(Element other) {
    this.from = other.from;
    this.to = other.to;
    this.index = other.index;
  }

  /** Number of values, at least 1; rates and limits count it. */
  public abstract int points();

  /** Index of the object's first byte in the message. */
  public final int from() {
    return from;
  }

  /** Index of the byte after the object. */
  public final int to() {
    return to;
  }

  /** Index of the object in the message's array; 0 without an array. */
  public final int index() {
    return index;
  }
}
