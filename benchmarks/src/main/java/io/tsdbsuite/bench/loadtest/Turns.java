package io.tsdbsuite.bench.loadtest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Whose turn it is: the order is turned round each time, so that nobody always comes first. */
final class Turns {
  private Turns() {}

  /**
   * The order of a time.
   *
   * @param time any number; even ones have the list's own order
   */
  static <T> List<T> of(List<T> all, int time) {
    List<T> order = new ArrayList<>(all);
    if (time % 2 != 0) {
      Collections.reverse(order);
    }
    return order;
  }
}
