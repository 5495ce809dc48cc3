package io.tsdbsuite.message.read;

import java.util.List;

/** An element that is JSON but breaks a rule of the format. */
public final class BadElement extends Element {
  private final BadMessageException problem;
  private final List<RollupElement> rollups;

  BadElement(ElementFields fields, BadMessageException problem) {
    super(fields);
    this.problem = problem;
    this.rollups = fields.rollups;
  }

  /** For an element that has its problem in common with others. */
  BadElement(BadElement element, BadMessageException problem) {
    super(element);
    this.problem = problem;
    this.rollups = element.rollups;
  }

  /** The broken rule. */
  public BadMessageException problem() {
    return problem;
  }

  /**
   * The rollups that are lost with it: of an object of version 2 or 3 whose values or histogram
   * alone break the rule. They must not be stored. None of another element.
   */
  public List<RollupElement> rollups() {
    return rollups;
  }

  @Override
  public int points() {
    return 1;
  }
}
