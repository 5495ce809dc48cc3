package io.tsdbsuite.ingest.store;

import io.tsdbsuite.ingest.message.AggregatePoint;
import io.tsdbsuite.ingest.message.Element;
import io.tsdbsuite.ingest.message.HistogramPoint;
import io.tsdbsuite.ingest.message.MetricPoint;
import io.tsdbsuite.ingest.message.RollupPoint;
import java.util.List;
import java.util.Map;

/**
 * Numbers for the cells that elements go to: equal for one cell, whatever type of message brings
 * its value and however that spells it. Two cells may have one number by chance. Immutable.
 *
 * <p>An element that cannot be stored has no cells, or some of no meaning.
 */
final class CellIdentity {
  private static final int RAW = 1;
  private static final int HISTOGRAM = 2;
  private static final int PRE_AGGREGATE = 3;

  private final RollupSchema schema;
  private final String aggTagKey;

  /**
   * Takes over what decides about cells.
   *
   * @param schema null if rollups are off
   * @param aggTagKey {@code tsd.rollups.agg_tag_key}
   */
  CellIdentity(RollupSchema schema, String aggTagKey) {
    this.schema = schema;
    this.aggTagKey = aggTagKey;
  }

  CellIds of(List<Element> elements) {
    CellIds ids = new CellIds(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      add(elements.get(i), ids);
      ids.endElement();
    }
    return ids;
  }

  private void add(Element element, CellIds ids) {
    if (element instanceof RollupPoint) {
      add((RollupPoint) element, ids);
    } else if (element instanceof AggregatePoint) {
      add((AggregatePoint) element, ids);
    } else if (element instanceof MetricPoint) {
      ids.add(mix(series(RAW, element, element.tags().hashCode()), element.timestamp()));
    } else if (element instanceof HistogramPoint) {
      ids.add(mix(series(HISTOGRAM, element, element.tags().hashCode()), element.timestamp()));
    }
  }

  private void add(RollupPoint point, CellIds ids) {
    RollupTarget target = target(point.interval(), point);
    if (target != null) {
      long interval = interval(target, point, null);
      for (int i = 0; i < point.size(); i++) {
        ids.add(mix(interval, lowerCaseHash(point.aggregator(i))));
      }
      if (point.isDeletion()) {
        for (String aggregator : schema.aggregators()) {
          ids.add(mix(interval, lowerCaseHash(aggregator)));
        }
      }
    }
  }

  private void add(AggregatePoint point, CellIds ids) {
    if (point.interval() == null) {
      long series = series(PRE_AGGREGATE, point, tagsWithoutAggregator(point.tags()));
      ids.add(mix(mix(series, lowerCaseHash(point.groupByAggregator())), point.timestamp()));
      return;
    }
    RollupTarget target = target(point.interval(), point);
    if (target != null) {
      long interval = interval(target, point, point.groupByAggregator());
      ids.add(mix(interval, lowerCaseHash(point.aggregator())));
    }
  }

  private RollupTarget target(String interval, Element point) {
    return schema == null || point.timestamp() > RollupTarget.MAX_SECONDS
        ? null
        : schema.find(interval);
  }

  /** All aggregators of one interval of one series. */
  private long interval(RollupTarget target, Element point, String groupBy) {
    int table = target.tableHash(groupBy != null);
    long series = series(table, point, tagsWithoutAggregator(point.tags()));
    if (groupBy != null) {
      series = mix(series, lowerCaseHash(groupBy));
    }
    return mix(series, target.start(point.timestamp()));
  }

  private static long series(int kind, Element element, int tags) {
    return mix(mix(kind, element.metric().hashCode()), tags);
  }

  /** The tag of the aggregator may be given, in any case, or left out: the writer sets it. */
  private int tagsWithoutAggregator(Map<String, String> tags) {
    String given = tags.get(aggTagKey);
    // The hash of a map is the sum of those of its entries, by its definition.
    return given == null
        ? tags.hashCode()
        : tags.hashCode() - (aggTagKey.hashCode() ^ given.hashCode());
  }

  /** Without a new string for each value. */
  static int lowerCaseHash(String name) {
    int hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = 31 * hash + Character.toLowerCase(name.charAt(i));
    }
    return hash;
  }

  private static long mix(long id, long more) {
    long mixed = (id ^ more) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 32);
  }
}
