package io.tsdbsuite.report.run;

import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.Format;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Selection and output of a report; immutable. */
public final class ReportPlan {
  /** The value of --group-by that is not a tag key. */
  public static final String METRIC = "metric";

  /** Builds a plan; the default is all series as a table. */
  public static final class Builder {
    private final String name;
    private final long now;
    private final LongFunction<Window> window;
    private @Nullable String metric;
    private Map<String, String> tags = Collections.emptyMap();
    private boolean untracked;
    private @Nullable String groupBy;
    private boolean oldestFirst;
    private int limit = Integer.MAX_VALUE;
    private Format format = Format.TABLE;

    /**
     * Starts a plan.
     *
     * @param name {@code idle} or {@code stopped}
     * @param now ms since the epoch
     * @param window range of last received times, for the reference time of the rows, ms
     */
    public Builder(String name, long now, LongFunction<Window> window) {
      this.name = name;
      this.now = now;
      this.window = window;
    }

    /** Name or glob of the metric; null for all metrics. */
    public Builder metric(@Nullable String text) {
      metric = text;
      return this;
    }

    /** Tags that a series must have; values are names or globs. */
    public Builder tags(Map<String, String> texts) {
      tags = Collections.unmodifiableMap(new TreeMap<>(texts));
      return this;
    }

    /** Whether to include series without a ts_ctr. */
    public Builder untracked(boolean listed) {
      untracked = listed;
      return this;
    }

    /** {@link #METRIC} or a tag key; null for a list of series. */
    public Builder groupBy(@Nullable String key) {
      groupBy = key;
      return this;
    }

    /** Whether to sort by last received time; needs a limit. */
    public Builder oldestFirst(boolean sorted) {
      oldestFirst = sorted;
      return this;
    }

    /** Maximum of series or groups. */
    public Builder limit(int most) {
      limit = most;
      return this;
    }

    /** Format of the report. */
    public Builder format(Format written) {
      format = written;
      return this;
    }

    public ReportPlan build() {
      return new ReportPlan(this);
    }
  }

  private final Builder is;

  private ReportPlan(Builder builder) {
    is = builder;
  }

  String name() {
    return is.name;
  }

  long now() {
    return is.now;
  }

  Window window(long time) {
    return is.window.apply(time);
  }

  @Nullable String metric() {
    return is.metric;
  }

  Map<String, String> tags() {
    return is.tags;
  }

  boolean untracked() {
    return is.untracked;
  }

  @Nullable String groupBy() {
    return is.groupBy;
  }

  boolean oldestFirst() {
    return is.oldestFirst;
  }

  int limit() {
    return is.limit;
  }

  Format format() {
    return is.format;
  }
}
