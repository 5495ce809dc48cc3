package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.bulk.series.SeriesResolver;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Row keys of series from the UIDs of their names. If the metric of a series is refused, its tags
 * get no UIDs; if a tag key is refused, its tag values get none.
 */
public final class UidSeriesResolver implements SeriesResolver {
  private final UidAssigner uids;
  private final RowKey rowKey;

  /** A resolver that shares the UIDs of an assigner. */
  public UidSeriesResolver(UidAssigner uids, StorageSchema schema) {
    this.uids = uids;
    this.rowKey = new RowKey(schema);
  }

  @Override
  public void resolve(List<NewSeries> series) {
    List<NewSeries> open = series;
    for (UidKind kind : UidKind.values()) {
      open = resolve(kind, open);
    }
    for (NewSeries one : open) {
      one.resolved(template(one));
    }
  }

  /** Returns the series whose names of this kind have UIDs. */
  private List<NewSeries> resolve(UidKind kind, List<NewSeries> series) {
    Set<String> names = new LinkedHashSet<>();
    for (NewSeries one : series) {
      names.addAll(names(kind, one));
    }
    Map<String, SeriesRefusal> refused = uids.resolve(kind, names);
    if (refused.isEmpty()) {
      return series;
    }
    List<NewSeries> open = new ArrayList<>();
    for (NewSeries one : series) {
      SeriesRefusal refusal = null;
      for (String name : names(kind, one)) {
        refusal = refusal == null ? refused.get(name) : refusal;
      }
      if (refusal == null) {
        open.add(one);
      } else {
        one.refused(refusal);
      }
    }
    return open;
  }

  private static List<String> names(UidKind kind, NewSeries series) {
    if (kind == UidKind.METRIC) {
      return List.of(series.metric());
    }
    List<String> names = new ArrayList<>(series.tags().size() / 2);
    for (int i = kind == UidKind.TAGK ? 0 : 1; i < series.tags().size(); i += 2) {
      names.add(series.tags().get(i));
    }
    return names;
  }

  private byte[] template(NewSeries series) {
    List<String> tags = series.tags();
    byte[][] pairs = new byte[tags.size() / 2][];
    for (int i = 0; i < pairs.length; i++) {
      byte[] key = uids.uid(UidKind.TAGK, tags.get(2 * i));
      byte[] value = uids.uid(UidKind.TAGV, tags.get(2 * i + 1));
      pairs[i] = new byte[key.length + value.length];
      System.arraycopy(key, 0, pairs[i], 0, key.length);
      System.arraycopy(value, 0, pairs[i], key.length, value.length);
    }
    return rowKey.encode(uids.uid(UidKind.METRIC, series.metric()), 0, pairs);
  }
}
