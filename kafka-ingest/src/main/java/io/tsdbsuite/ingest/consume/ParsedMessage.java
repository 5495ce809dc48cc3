package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message with its elements, or why it has none. For the writing thread. */
final class ParsedMessage {
  private final QueuedMessage queued;
  private final @Nullable BadMessageException problem;
  private List<Element> elements;
  private boolean covered;

  /**
   * Creates a message.
   *
   * @param elements its elements; none if its partition was closed
   * @param problem why it cannot be read; null if it can
   */
  ParsedMessage(
      QueuedMessage queued, List<Element> elements, @Nullable BadMessageException problem) {
    this.queued = queued;
    this.elements = elements;
    this.problem = problem;
  }

  QueuedMessage queued() {
    return queued;
  }

  /** Why it cannot be read; null if it can. */
  @Nullable BadMessageException problem() {
    return problem;
  }

  /** The elements to be stored or carried out. */
  List<Element> elements() {
    return elements;
  }

  /** Another message asks for all that this one asks for: nothing is left to do. */
  void cover() {
    covered = true;
    elements = Collections.emptyList();
  }

  /** Replaces its only element by one that asks for less. */
  void reduce(Element less) {
    elements = Collections.singletonList(less);
  }

  /** Whether another message asks for all that this one asks for. */
  boolean isCovered() {
    return covered;
  }
}
