package io.tsdbsuite.rollup.plan.job;

import java.util.ArrayList;
import java.util.List;

/** A result for each region, which come in parts of consecutive regions in any order. */
final class RegionResults<T> {
  private final List<List<T>> results = new ArrayList<>();

  /** Empty results of a number of regions. */
  RegionResults(int regions) {
    for (int i = 0; i < regions; i++) {
      results.add(List.of());
    }
  }

  /**
   * Adds the results of consecutive regions.
   *
   * @param first number of the first region
   */
  void add(int first, List<T> part) {
    for (int i = 0; i < part.size(); i++) {
      results.set(first + i, List.of(part.get(i)));
    }
  }

  /**
   * The results in the order of the regions.
   *
   * @throws IllegalStateException when that of a region is missing
   */
  List<T> all() {
    List<T> all = new ArrayList<>(results.size());
    for (List<T> result : results) {
      if (result.isEmpty()) {
        throw new IllegalStateException(
            "each of "
                + results.size()
                + " regions must have a result, found none of "
                + all.size());
      }
      all.add(result.get(0));
    }
    return all;
  }
}
