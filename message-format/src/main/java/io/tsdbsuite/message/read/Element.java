package io.tsdbsuite.message.read;

/** One object of a message: a {@link SeriesElement}, or a {@link BadElement}. */
public abstract class Element {
  private final int from;
  private final int to;

  Element(ElementFields fields) {
    this.from = fields.from;
    this.to = fields.to;
  }

  /** For a copy of an element of the same message. */
  Element(Element other) {
    this.from = other.from;
    this.to = other.to;
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
}
