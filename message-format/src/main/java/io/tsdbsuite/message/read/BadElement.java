package io.tsdbsuite.message.read;

import org.jspecify.annotations.Nullable;

/** An element that is JSON but breaks a rule of the format. */
public final class BadElement extends Element {
  private final BadMessageException problem;
  private final @Nullable RollupElement rollup;

  BadElement(ElementFields fields, BadMessageException problem) {
    super(fields);
    this.problem = problem;
    this.rollup = fields.rollup;
  }

  /** For an element that has its problem in common with others. */
  BadElement(BadElement element, BadMessageException problem) {
    super(element);
    this.problem = problem;
    this.rollup = element.rollup;
  }

  /** The broken rule. */
  public BadMessageException problem() {
    return problem;
  }

  /**
   * The rollup that is lost with it: one of version 2 whose values or histogram alone break the
   * rule. It must not be stored. Null for another element.
   */
  public @Nullable RollupElement rollup() {
    return rollup;
  }

  @Override
  public int points() {
    return 1;
  }
}
