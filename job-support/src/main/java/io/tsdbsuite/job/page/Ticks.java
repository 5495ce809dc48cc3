package io.tsdbsuite.job.page;

import java.util.ArrayList;
import java.util.List;

/** Positions of an axis' labels. */
final class Ticks {
  private static final double[] STEPS = {1, 2, 5, 10};

  private Ticks() {}

  /**
   * Round values from 0 to a maximum.
   *
   * @param about their number, approximately
   */
  static List<Double> upTo(double max, int about) {
    double rough = max > 0 ? max / about : 1;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = 10 * power;
    for (double factor : STEPS) {
      if (factor * power >= rough) {
        step = factor * power;
        break;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= max * (1 + 1e-9); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }
}
