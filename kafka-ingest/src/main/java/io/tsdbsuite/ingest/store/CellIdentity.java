package io.tsdbsuite.ingest.store;

import io.tsdbsuite.message.read.AggregateElement;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.HistogramElement;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.RollupRequestElement;
import io.tsdbsuite.message.read.SeriesElement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the {@link CellIds} of elements: a 64-bit hash that is equal for equal cells, for all
 * types of messages and all spellings of names. The aggregators of one interval of a series and its
 * histogram share a hash and have one bit each. Different cells may collide, which costs time only.
 * Immutable.
 *
 * <p>The ids of an element that cannot be stored have no meaning.
 */
final class CellIdentity {
  private static final int RAW = 1;
  private static final int HISTOGRAM = 2;
  private static final int PRE_AGGREGATE = 3;
  private static final int REQUEST = 4;

  /** The bits of an element with one cell. */
  private static final long ONLY = 1;

  private final @Nullable RollupSchema schema;
  private final String aggTagKey;
  private final String[] aggregators;
  private final long everyCell;

  /**
   * Creates an instance for the TSD's configuration.
   *
   * @param schema null if rollups are off
   * @param aggTagKey {@code tsd.rollups.agg_tag_key}
   */
  CellIdentity(@Nullable RollupSchema schema, String aggTagKey) {
    this.schema = schema;
    this.aggTagKey = aggTagKey;
    this.aggregators = schema == null ? new String[0] : schema.aggregators().toArray(new String[0]);
    int cells = aggregators.length + 1;
    this.everyCell = cells < Long.SIZE ? (1L << cells) - 1 : -1;
  }

  CellIds of(List<Element> elements) {
    CellIds ids = new CellIds(elements.size());
    Map<String, String> tags = null;
    int hash = 0;
    for (int i = 0; i < elements.size(); i++) {
      Element element = elements.get(i);
      if (element instanceof RollupElement) {
        RollupElement rollup = (RollupElement) element;
        if (rollup.tags() != tags) {
          // The rollups of one object share the map: hashed once.
          tags = rollup.tags();
          hash = tagsWithoutAggregator(tags);
        }
        set(ids, i, rollup, hash);
      } else {
        set(ids, i, element);
      }
    }
    return ids;
  }

  private void set(CellIds ids, int i, Element element) {
    if (element instanceof AggregateElement) {
      set(ids, i, (AggregateElement) element);
    } else if (element instanceof MetricElement) {
      set(ids, i, (MetricElement) element, RAW);
    } else if (element instanceof HistogramElement) {
      set(ids, i, (HistogramElement) element, HISTOGRAM);
    } else if (element instanceof RollupRequestElement) {
      set(ids, i, (RollupRequestElement) element, REQUEST);
    }
  }

  private static void set(CellIds ids, int i, SeriesElement element, int kind) {
    long series = series(kind, element, element.tags().hashCode());
    ids.set(i, mix(series, element.timestamp()), ONLY);
  }

  private void set(CellIds ids, int i, RollupElement point, int tags) {
    RollupTarget target = target(point.interval(), point);
    if (target == null) {
      return;
    }
    // Also beside a histogram, no values delete those stored.
    long bits = point.size() == 0 ? everyCell : 0;
    if (point.codec() != null) {
      bits |= 1L << aggregators.length;
    }
    for (int k = 0; k < point.size(); k++) {
      bits |= bit(point.aggregator(k));
    }
    ids.set(i, interval(target, point, tags, null), bits);
  }

  private void set(CellIds ids, int i, AggregateElement point) {
    String interval = point.interval();
    String aggregator = point.aggregator();
    String groupBy = point.groupByAggregator();
    if (interval != null && aggregator != null) {
      RollupTarget target = target(interval, point);
      if (target != null) {
        int tags = tagsWithoutAggregator(point.tags());
        ids.set(i, interval(target, point, tags, groupBy), bit(aggregator));
      }
    } else if (groupBy != null) {
      long series = series(PRE_AGGREGATE, point, tagsWithoutAggregator(point.tags()));
      series = mix(series, lowerCaseHash(groupBy));
      ids.set(i, mix(series, point.timestamp()), ONLY);
    }
  }

  /** With more than 63 aggregators, several cells share a bit and wait for each other. */
  private long bit(String aggregator) {
    for (int k = 0; k < aggregators.length; k++) {
      if (aggregators[k].equalsIgnoreCase(aggregator)) {
        return 1L << k;
      }
    }
    return 0;
  }

  private @Nullable RollupTarget target(String interval, SeriesElement point) {
    return schema == null || point.timestamp() > RollupTarget.MAX_SECONDS
        ? null
        : schema.find(interval);
  }

  /**
   * Hash of one interval of a series, for all aggregators.
   *
   * @param tags hash of the tags without the aggregator's
   */
  private static long interval(
      RollupTarget target, SeriesElement point, int tags, @Nullable String groupBy) {
    int table = target.tableHash(groupBy != null);
    long series = series(table, point, tags);
    if (groupBy != null) {
      series = mix(series, lowerCaseHash(groupBy));
    }
    return mix(series, target.start(point.timestamp()));
  }

  private static long series(int kind, SeriesElement element, int tags) {
    return mix(mix(kind, element.metric().hashCode()), tags);
  }

  /**
   * The writer sets the aggregator's tag, so its presence and spelling in the message are ignored.
   */
  private int tagsWithoutAggregator(Map<String, String> tags) {
    String given = tags.get(aggTagKey);
    // By definition the hash of a map is the sum of the hashes of its entries.
    return given == null
        ? tags.hashCode()
        : tags.hashCode() - (aggTagKey.hashCode() ^ given.hashCode());
  }

  /** Hash of the lower-case name, without creating a String. */
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
