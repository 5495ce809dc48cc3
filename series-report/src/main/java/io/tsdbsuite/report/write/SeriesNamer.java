package io.tsdbsuite.report.write;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.UidNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds names to rows, and counts UIDs without a name. */
public final class SeriesNamer {
  private final TsuidLayout layout;
  private final UidNames names;
  private long unnamed;
  private long unreadable;

  public SeriesNamer(TsuidLayout layout, UidNames names) {
    this.layout = layout;
    this.names = names;
  }

  /** Resolves the names of a batch of rows, in row order. */
  public List<Series> name(List<MetaRow> rows) {
    Set<Long> metrics = new HashSet<>();
    Set<Long> tagks = new HashSet<>();
    Set<Long> tagvs = new HashSet<>();
    for (MetaRow row : rows) {
      byte[] tsuid = row.tsuid();
      metrics.add(layout.metric(tsuid));
      for (int tag = 0; tag < layout.tags(tsuid); tag++) {
        tagks.add(layout.tagk(tsuid, tag));
        tagvs.add(layout.tagv(tsuid, tag));
      }
    }
    names.load(UidKind.METRIC, metrics);
    names.load(UidKind.TAGK, tagks);
    names.load(UidKind.TAGV, tagvs);
    List<Series> series = new ArrayList<>(rows.size());
    for (MetaRow row : rows) {
      series.add(name(row));
    }
    return series;
  }

  private Series name(MetaRow row) {
    byte[] tsuid = row.tsuid();
    boolean complete = true;
    String metric = names.name(UidKind.METRIC, layout.metric(tsuid));
    if (metric == null) {
      complete = false;
      metric = layout.hex(UidKind.METRIC, layout.metric(tsuid));
    }
    SortedMap<String, String> tags = new TreeMap<>();
    for (int tag = 0; tag < layout.tags(tsuid); tag++) {
      String key = names.name(UidKind.TAGK, layout.tagk(tsuid, tag));
      String value = names.name(UidKind.TAGV, layout.tagv(tsuid, tag));
      complete &= key != null && value != null;
      tags.put(
          key == null ? layout.hex(UidKind.TAGK, layout.tagk(tsuid, tag)) : key,
          value == null ? layout.hex(UidKind.TAGV, layout.tagv(tsuid, tag)) : value);
    }
    if (!complete) {
      unnamed++;
    }
    return new Series(
        TsuidLayout.hex(tsuid),
        metric,
        tags,
        row.tracked() ? (Long) row.lastReceivedMillis() : null,
        row.tracked() ? (Long) row.points() : null,
        created(row));
  }

  private @Nullable Long created(MetaRow row) {
    byte[] tsMeta = row.tsMeta();
    if (tsMeta == null) {
      return null;
    }
    try {
      return Created.seconds(tsMeta);
    } catch (IOException e) {
      unreadable++;
      return null;
    }
  }

  /** The name of a loaded UID; without a name its hex, which {@link #unnamed} counts. */
  public String nameOrHex(UidKind kind, long uid) {
    String name = names.name(kind, uid);
    if (name != null) {
      return name;
    }
    unnamed++;
    return layout.hex(kind, uid);
  }

  /** Number of series, or groups, with a UID that has no name. */
  public long unnamed() {
    return unnamed;
  }

  /** Number of series whose ts_meta is not valid JSON. */
  public long unreadable() {
    return unreadable;
  }
}
