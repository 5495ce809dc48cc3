package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The values of a rollup, in the order of a {@link VerifyRecord}. */
public enum Aggregate {
  /** Sum of the points. */
  SUM,
  /** Minimum of the points. */
  MIN,
  /** Maximum of the points. */
  MAX,
  /** Number of points. */
  COUNT;

  /** The numbers of all in rollup_config.json, which has them. */
  public static List<Integer> ids(RollupConfig rollups) {
    return Stream.of(values()).map(each -> rollups.aggregatorId(each.text())).toList();
  }

  /** The numbers by the names, as {@link #ids}. */
  public static SortedMap<String, Integer> numbers(RollupConfig rollups) {
    SortedMap<String, Integer> numbers = new TreeMap<>();
    Stream.of(values())
        .forEach(each -> numbers.put(each.text(), rollups.aggregatorId(each.text())));
    return numbers;
  }

  /** The name in rollup_config.json and in queries, for example {@code sum}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
