package io.tsdbsuite.bench.loadtest;

import io.tsdbsuite.bench.measure.Median;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The samples of one set-up, one for each round. */
final class Rounds {
  private final Setup setup;
  private final List<Sample> samples = new ArrayList<>();

  Rounds(Setup setup) {
    this.setup = setup;
  }

  Setup setup() {
    return setup;
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  /** The median of all rounds. */
  double median(ToDoubleFunction<Sample> value) {
    return Median.of(values(value));
  }

  /** Minimum and maximum of all rounds. */
  String range(ToDoubleFunction<Sample> value) {
    List<Double> values = values(value);
    return String.format(
        Locale.ROOT, "%,.0f..%,.0f", Collections.min(values), Collections.max(values));
  }

  /** Number of points that the TSD failed to store in all rounds. */
  long failed() {
    return samples.stream().mapToLong(Sample::failed).sum();
  }

  /**
   * Ratio of this set-up to another: median, minimum and maximum of the ratios of each round.
   * Ratios per round cancel slow changes of the machine.
   */
  String over(Rounds other, ToDoubleFunction<Sample> value) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < samples.size(); round++) {
      ratios.add(
          value.applyAsDouble(samples.get(round)) / value.applyAsDouble(other.samples.get(round)));
    }
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f..%.2f)",
        Median.of(ratios),
        Collections.min(ratios),
        Collections.max(ratios));
  }

  /** The number of samples. */
  int count() {
    return samples.size();
  }

  /** Ratio of the TSD's CPU per point to another's, over the sum of all rounds. */
  double tsdOver(Rounds other) {
    return tsdPerPoint() / other.tsdPerPoint();
  }

  private double tsdPerPoint() {
    return samples.stream().mapToDouble(Sample::tsdCpu).sum()
        / samples.stream().mapToLong(Sample::points).sum();
  }

  private List<Double> values(ToDoubleFunction<Sample> value) {
    return samples.stream().map(value::applyAsDouble).toList();
  }
}
