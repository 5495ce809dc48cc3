package io.tsdbsuite.testkit.rollup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares rollups with the expected ones. */
public final class RollupDiff {
  private RollupDiff() {}

  /**
   * Every difference, one line each.
   *
   * @param expected the expected rollups
   * @param actual the actual rollups
   * @return missing, extra and different rollups; empty if all are equal
   */
  public static List<String> of(
      Map<RollupKey, RollupValues> expected, Map<RollupKey, RollupValues> actual) {
    List<String> differences = new ArrayList<>();
    expected.forEach(
        (key, values) -> {
          RollupValues found = actual.get(key);
          if (found == null) {
            differences.add("missing " + key + ": " + values);
          } else if (!values.agreesWith(found)) {
            differences.add("different " + key + ": expected " + values + ", found " + found);
          }
        });
    actual.forEach(
        (key, values) -> {
          if (!expected.containsKey(key)) {
            differences.add("extra " + key + ": " + values);
          }
        });
    return differences;
  }
}
