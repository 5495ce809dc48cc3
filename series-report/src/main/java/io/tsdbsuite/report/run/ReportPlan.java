package io.tsdbsuite.report.run;

import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.Format;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** Selection and output of a report; immutable. */
public final class ReportPlan {
  /** The value of --group-by that is not a tag key. */
  public static final String METRIC = "metric";

  /** Describes a plan, starting with all series, in a table. */
  public static final class Builder {
    private final String name;
    private final long now;
    private final LongFunction<Window> window;
    private String metric;
    private Map<String, String> tags = Collections.emptyMap();
    private boolean untracked;
    private String groupBy;
    private boolean oldestFirst;
    private int limit = Integer.MAX_VALUE;
    private Format format = Format.TABLE;

    /**
     * Starts a plan.
     *
     * @param name idle or stopped
     * @param now ms since the epoch
     * @param window which last times are wanted, given the time of the rows in ms
     */
    public Builder(String name, long now, LongFunction<Window> window) {
      this.name = name;
      this.now = now;
      this.window = window;
    }

    /** Only this metric; name or glob, null for all. */
    public Builder metric(String text) {
      metric = text;
      return this;
    }

    /** Only series with all of these tags; values are names or globs. */
    public Builder tags(Map<String, String> texts) {
      tags = Collections.unmodifiableMap(new TreeMap<>(texts));
      return this;
    }

    /** Whether series without a ts_ctr are listed too. */
    public Builder untracked(boolean listed) {
      untracked = listed;
      return this;
    }

    /** {@link #METRIC} or a tag's key; null for a list of series. */
    public Builder groupBy(String key) {
      groupBy = key;
      return this;
    }

    /** Whether the list is by last time; needs a limit. */
    public Builder oldestFirst(boolean sorted) {
      oldestFirst = sorted;
      return this;
    }

    /** How many series or groups at most. */
    public Builder limit(int most) {
      limit = most;
      return this;
    }

    /** How it is written. */
    public Builder format(Format written) {
      format = written;
      return this;
    }

    /** The plan. */
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

  String metric() {
    return is.metric;
  }

  Map<String, String> tags() {
    return is.tags;
  }

  boolean untracked() {
    return is.untracked;
  }

  String groupBy() {
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
