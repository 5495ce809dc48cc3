package io.tsdbsuite.ingest.message;

/** An element that is JSON, but nothing that can be stored. */
public final class BadElement extends Element {
  private final BadMessageException problem;

  BadElement(Fields fields, BadMessageException problem) {
    super(fields);
    this.problem = problem;
  }

  /** What is wrong with it. */
  public BadMessageException problem() {
    return problem;
  }

  @Override
  public int points() {
    return 1;
  }
}
