package io.tsdbsuite.testkit.rollup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares rollups with what they should be. */
public final class RollupDiff {
  private RollupDiff() {}

  /**
   * Every difference, one line each.
   *
   * @param expected the judge's
   * @param actual ours
   * @return missing, extra and different ones; empty when all agree
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
