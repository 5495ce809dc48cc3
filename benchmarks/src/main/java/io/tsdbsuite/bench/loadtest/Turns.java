package io.tsdbsuite.bench.loadtest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Alternates the order of a list, so that no element always comes first. */
final class Turns {
  private Turns() {}

  /**
   * The order in a round.
   *
   * @param time number of the round; even rounds have the list's own order
   */
  static <T> List<T> of(List<T> all, int time) {
    List<T> order = new ArrayList<>(all);
    if (time % 2 != 0) {
      Collections.reverse(order);
    }
    return order;
  }
}
