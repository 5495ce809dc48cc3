package io.tsdbsuite.rollup.plan;

import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A metric filter. A pattern is a metric name in which {@code *} stands for any characters and
 * {@code ?} for one; with a leading {@code !} it excludes. A metric is selected if no excluding
 * pattern matches and either an including pattern matches or there are no including patterns.
 * Immutable.
 */
public final class MetricPatterns implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<Pattern> includes;
  private final List<Pattern> excludes;

  private MetricPatterns(List<Pattern> includes, List<Pattern> excludes) {
    this.includes = includes;
    this.excludes = excludes;
  }

  /** Selects every metric. */
  public static MetricPatterns all() {
    return of(List.of());
  }

  /** Parses patterns in the form of the command-line option. */
  public static MetricPatterns of(List<String> patterns) {
    return new MetricPatterns(
        patterns.stream().filter(p -> !p.startsWith("!")).map(MetricPatterns::compile).toList(),
        patterns.stream()
            .filter(p -> p.startsWith("!"))
            .map(p -> compile(p.substring(1)))
            .toList());
  }

  private static Pattern compile(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  /** Whether every metric is selected. */
  public boolean isAll() {
    return includes.isEmpty() && excludes.isEmpty();
  }

  /** Whether a metric is selected. */
  public boolean wants(String metric) {
    return (includes.isEmpty() || includes.stream().anyMatch(p -> p.matcher(metric).matches()))
        && excludes.stream().noneMatch(p -> p.matcher(metric).matches());
  }
}
