package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesResolver;
import io.tsdbsuite.bulk.uid.UidAssigner;
import io.tsdbsuite.bulk.uid.UidSeriesResolver;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts the UIDs assigned for one task; all tasks of an executor share the assigner. */
final class CountedResolver implements SeriesResolver {
  private final UidAssigner uids;
  private final UidSeriesResolver resolver;
  private final Map<UidKind, Long> assigned = new EnumMap<>(UidKind.class);

  CountedResolver(UidAssigner uids, StorageSchema schema) {
    this.uids = uids;
    this.resolver = new UidSeriesResolver(uids, schema);
  }

  @Override
  public void resolve(List<NewSeries> series) {
    // The assigner serializes its calls anyway.
    synchronized (uids) {
      count(-1);
      resolver.resolve(series);
      count(1);
    }
  }

  private void count(int sign) {
    for (UidKind kind : UidKind.values()) {
      assigned.merge(kind, sign * uids.assigned(kind), Long::sum);
    }
  }

  /** Number of assigned UIDs by kind. */
  Map<UidKind, Long> assigned() {
    return new EnumMap<>(assigned);
  }
}
