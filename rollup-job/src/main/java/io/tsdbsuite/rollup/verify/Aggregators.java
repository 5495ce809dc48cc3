package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.message.write.RollupValues;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The aggregators of the rollups of a run. Their place in the list is that of their values in a
 * {@link VerifyRecord}, and of their bit where some of them are meant.
 *
 * @param names sum, min, max and count, at the places of the constants, then those that {@code
 *     suite} of rollup_config.json names for any interval
 * @param ids by place, the numbers in rollup_config.json; -1 without one
 * @param suite tells which metrics and intervals have the further ones, and histograms
 * @param codecs of histograms
 */
public record Aggregators(
    List<String> names, List<Integer> ids, SuiteConfig suite, HistogramCodecs codecs)
    implements Serializable {
  static final int SUM = 0;
  static final int MIN = 1;
  static final int MAX = 2;
  static final int COUNT = 3;

  /** The bits of sum, min, max and count. */
  public static final int FOUR = 0xf;

  static final String FIRST = "first";
  static final String LAST = "last";

  private static final long serialVersionUID = 1L;

  /** Those of a configuration. */
  public static Aggregators of(RollupConfig rollups, HistogramCodecs codecs) {
    List<String> names = new ArrayList<>(List.of("sum", "min", "max", "count"));
    SuiteConfig.NAMES.stream()
        .filter(
            name ->
                rollups.intervals().stream()
                    .anyMatch(each -> rollups.suite().aggregators(each.interval()).contains(name)))
        .forEach(names::add);
    return new Aggregators(
        List.copyOf(names),
        names.stream().map(name -> rollups.aggregatorIds().getOrDefault(name, -1)).toList(),
        rollups.suite(),
        codecs);
  }

  /**
   * The levels that are compared, by the number in a {@link VerifyRecord}: the intervals, then
   * {@code 1h.histogram} of those whose rollups have histograms, for some metrics.
   */
  public List<String> levels(List<RollupInterval> intervals) {
    List<String> levels = new ArrayList<>();
    intervals.forEach(each -> levels.add(each.interval()));
    intervals.stream()
        .map(RollupInterval::interval)
        .filter(suite::histogram)
        .forEach(each -> levels.add(Level.text(each, Level.HISTOGRAM)));
    return levels;
  }

  /** The numbers in rollup_config.json by name. */
  public SortedMap<String, Integer> numbers() {
    SortedMap<String, Integer> numbers = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      numbers.put(names.get(i), ids.get(i));
    }
    return numbers;
  }

  /** The record of the histogram of a rollup that was computed from raw data; null without. */
  public byte @Nullable [] histogram(RollupValues rollup) {
    String codec = rollup.codec();
    byte[] bytes = rollup.histogram();
    return codec == null
        ? null
        : VerifyRecord.histogram(
            false, Objects.requireNonNull(codecs.id(codec)), bytes, 0, bytes.length);
  }

  /** The record of a rollup that was computed from raw data. */
  public byte[] record(RollupValues rollup) {
    double[] values = new double[size()];
    values[SUM] = rollup.sum();
    values[MIN] = rollup.min();
    values[MAX] = rollup.max();
    values[COUNT] = rollup.count();
    for (int i = 0; i < rollup.names().size(); i++) {
      values[names.indexOf(rollup.names().get(i))] = rollup.further(i);
    }
    return VerifyRecord.computed(FOUR | bits(rollup.names()), values);
  }

  int size() {
    return names.size();
  }

  /** The bits of those that rollups of some metric may have. */
  int ofInterval(String interval) {
    return FOUR | bits(suite.aggregators(interval));
  }

  /**
   * The bits of those that the rollups of a metric have.
   *
   * @param metric its name; null if it has none
   */
  public int ofMetric(@Nullable String metric, String interval) {
    return metric == null || suite.isEmpty()
        ? FOUR
        : FOUR | bits(suite.selection(metric).aggregators(interval));
  }

  /**
   * The bits of those that can be made of the rollups of a narrower interval: not percentiles.
   *
   * @param parts bits of what these have
   */
  int made(int parts) {
    return parts & (FOUR | bits(List.of(FIRST, LAST)));
  }

  private int bits(List<String> some) {
    int bits = 0;
    for (String name : some) {
      int place = names.indexOf(name);
      bits |= place < 0 ? 0 : 1 << place;
    }
    return bits;
  }
}
