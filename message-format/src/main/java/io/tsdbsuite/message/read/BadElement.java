package io.tsdbsuite.message.read;

/** An element that is JSON but breaks a rule of the format. */
public final class BadElement extends Element {
  private final BadMessageException problem;

  BadElement(ElementFields fields, BadMessageException problem) {
    super(fields);
    this.problem = problem;
  }

  /** For an element that has its problem in common with others. */
  BadElement(Element element, BadMessageException problem) {
    super(element);
    this.problem = problem;
  }

  /** The broken rule. */
  public BadMessageException problem() {
    return problem;
  }

  @Override
  public int points() {
    return 1;
  }
}
