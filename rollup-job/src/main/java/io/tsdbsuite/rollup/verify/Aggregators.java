package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.message.write.RollupValues;
import java.io.Serializable;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The aggregators of the rollups of a run. Their place in the list is that of their values in a
 * {@link VerifyRecord}, and of their bit where some of them are meant.
 *
 * @param names sum, min, max and count, at the places of the constants
 * @param ids by place, the numbers in rollup_config.json; -1 without one
 */
public record Aggregators(List<String> names, List<Integer> ids) implements Serializable {
  static final int SUM = 0;
  static final int MIN = 1;
  static final int MAX = 2;
  static final int COUNT = 3;

  /** The bits of sum, min, max and count. */
  public static final int FOUR = 0xf;

  private static final long serialVersionUID = 1L;

  /** Those of a configuration. */
  public static Aggregators of(RollupConfig rollups) {
    List<String> names = List.of("sum", "min", "max", "count");
    return new Aggregators(
        names, names.stream().map(name -> rollups.aggregatorIds().getOrDefault(name, -1)).toList());
  }

  /** The numbers in rollup_config.json by name. */
  public SortedMap<String, Integer> numbers() {
    SortedMap<String, Integer> numbers = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      numbers.put(names.get(i), ids.get(i));
    }
    return numbers;
  }

  /** The record of a rollup that was computed from raw data. */
  public byte[] record(RollupValues rollup) {
    return VerifyRecord.computed(
        FOUR, rollup.sum(), rollup.min(), rollup.max(), (double) rollup.count());
  }

  int size() {
    return names.size();
  }

  /** The bits of those that rollups of some metric may have. */
  int ofInterval(String interval) {
    return FOUR;
  }

  /**
   * The bits of those that the rollups of a metric have.
   *
   * @param metric its name; null if it has none
   */
  int ofMetric(@Nullable String metric, String interval) {
    return FOUR;
  }
}
