package io.tsdbsuite.report.select;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.UidNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Selects series by metric and tags. Names are looked up once per UID, not per row. */
public final class Selection {
  private static final byte[] OPEN = new byte[0];

  /** Selects series by one tag: a key and a filter of its value. */
  private record TagFilter(long tagk, UidFilter values) {}

  private final TsuidLayout layout;
  private final @Nullable UidFilter metric;
  private final List<TagFilter> tags = new ArrayList<>();

  /**
   * Resolves the names without wildcards.
   *
   * @param metricText name or glob, null for all
   * @param tagTexts tag key to name or glob of its value; a series must have all tags
   * @throws JobException usage, with all names that tsdb-uid does not have
   */
  public Selection(
      TsuidLayout layout,
      UidNames names,
      @Nullable String metricText,
      Map<String, String> tagTexts) {
    this.layout = layout;
    List<String> problems = new ArrayList<>();
    UidFilter found = null;
    if (metricText != null) {
      try {
        found = UidFilter.of("--metric", UidKind.METRIC, metricText, names);
      } catch (JobException e) {
        collect(e, problems);
      }
    }
    metric = found;
    for (Map.Entry<String, String> tag : tagTexts.entrySet()) {
      String option = "--tag " + tag.getKey() + "=" + tag.getValue();
      try {
        long tagk = UidFilter.uid(option + ": the key", UidKind.TAGK, tag.getKey(), names);
        UidFilter values =
            UidFilter.of(option + ": the value", UidKind.TAGV, tag.getValue(), names);
        tags.add(new TagFilter(tagk, values));
      } catch (JobException e) {
        collect(e, problems);
      }
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  private static void collect(JobException e, List<String> problems) {
    if (e.exitCode() != ExitCode.USAGE) {
      throw e;
    }
    problems.add(e.getMessage());
  }

  /** First row key to scan, inclusive; empty for the start of the table. */
  public byte[] startRow() {
    return metric == null || metric.uid() == null
        ? OPEN
        : layout.bytes(UidKind.METRIC, metric.uid());
  }

  /** Last row key to scan, exclusive; empty for the end of the table. */
  public byte[] stopRow() {
    byte[] stop = startRow();
    for (int i = stop.length - 1; i >= 0; i--) {
      stop[i]++;
      if (stop[i] != 0) {
        return stop;
      }
    }
    return OPEN;
  }

  /** Looks up the names that {@link #wants} needs for these rows. */
  public void prepare(List<MetaRow> rows) {
    if (metric != null) {
      metric.trim();
      for (MetaRow row : rows) {
        metric.add(layout.metric(row.tsuid()));
      }
      metric.decide();
    }
    for (TagFilter tag : tags) {
      tag.values().trim();
      for (MetaRow row : rows) {
        int index = tag(layout, row.tsuid(), tag.tagk());
        if (index >= 0) {
          tag.values().add(layout.tagv(row.tsuid(), index));
        }
      }
      tag.values().decide();
    }
  }

  /** Whether the series has the metric and the tags; to be called after {@link #prepare}. */
  public boolean wants(MetaRow row) {
    if (metric != null && !metric.wants(layout.metric(row.tsuid()))) {
      return false;
    }
    for (TagFilter tag : tags) {
      int index = tag(layout, row.tsuid(), tag.tagk());
      if (index < 0 || !tag.values().wants(layout.tagv(row.tsuid(), index))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Index of the series' tag with this key.
   *
   * @return from 0; -1 if the series does not have the key
   */
  public static int tag(TsuidLayout layout, byte[] tsuid, long tagk) {
    int tags = layout.tags(tsuid);
    for (int i = 0; i < tags; i++) {
      if (layout.tagk(tsuid, i) == tagk) {
        return i;
      }
    }
    return -1;
  }
}
