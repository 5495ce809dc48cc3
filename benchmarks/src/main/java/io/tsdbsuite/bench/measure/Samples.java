package io.tsdbsuite.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The samples of a way, one for each round.
 *
 * @param all in the order of the rounds
 */
public record Samples<T>(String name, List<T> all) {
  /** A way without samples. */
  public Samples(String name) {
    this(name, new ArrayList<>());
  }

  /**
   * Runs ways by turns, with the order reversed in each second round, so that other load on the
   * machine is on all of them. Prints each sample.
   *
   * @param warmUps unmeasured rounds before the others
   * @return the samples of each way, in the order of the ways
   */
  public static <T> List<Samples<T>> of(int warmUps, int rounds, List<Way<T>> ways)
      throws IOException, InterruptedException {
    List<Samples<T>> all = ways.stream().map(way -> new Samples<T>(way.name())).toList();
    for (int round = -warmUps; round < rounds; round++) {
      for (int index : turned(IntStream.range(0, ways.size()).boxed().toList(), round)) {
        T sample = run(ways.get(index));
        System.out.printf(
            Locale.ROOT,
            "%s %-55s %s%n",
            round < 0 ? "warm-up" : "round " + (round + 1),
            ways.get(index).name(),
            sample);
        if (round >= 0) {
          all.get(index).all().add(sample);
        }
      }
    }
    return all;
  }

  /**
   * The order of a round.
   *
   * @param round its number; even rounds have the list's own order
   */
  public static <T> List<T> turned(List<T> all, int round) {
    List<T> order = new ArrayList<>(all);
    if (round % 2 != 0) {
      Collections.reverse(order);
    }
    return order;
  }

  private static <T> T run(Way<T> way) throws IOException, InterruptedException {
    try {
      return way.work().run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(way.name() + " failed", e);
    }
  }

  /** The median of all rounds. */
  public double median(ToDoubleFunction<T> value) {
    return Median.of(values(value));
  }

  /** Minimum and maximum of all rounds. */
  public String range(ToDoubleFunction<T> value) {
    List<Double> values = values(value);
    return String.format(
        Locale.ROOT, "%,.0f..%,.0f", Collections.min(values), Collections.max(values));
  }

  /**
   * Ratio of this way to another: median, minimum and maximum of the ratios of each round, which
   * cancel slow changes of the machine.
   */
  public String over(Samples<T> other, ToDoubleFunction<T> value) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < all.size(); round++) {
      ratios.add(value.applyAsDouble(all.get(round)) / value.applyAsDouble(other.all.get(round)));
    }
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f..%.2f)",
        Median.of(ratios),
        Collections.min(ratios),
        Collections.max(ratios));
  }

  /** The sum of all rounds. */
  public double sum(ToDoubleFunction<T> value) {
    return all.stream().mapToDouble(value).sum();
  }

  private List<Double> values(ToDoubleFunction<T> value) {
    return all.stream().map(value::applyAsDouble).toList();
  }
}
