package net.opentsdb.core;

import com.google.common.hash.Hashing;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.read.NotExactException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import net.opentsdb.query.QueryLimitOverride;
import net.opentsdb.query.filter.TagVFilter;
import net.opentsdb.rollup.RollupQuery;
import net.opentsdb.stats.QueryStats;
import net.opentsdb.stats.QueryStats.QueryStat;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.Bytes;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * A sub-query over raw data, as OpenTSDB configures it: its scan bounds, row filters and groups for
 * those who read the points from elsewhere, and its own answer.
 */
public final class RawQuery {
  private final TSDB tsdb;
  private final TSQuery query;
  private final TSSubQuery sub;
  private final TsdbQuery raw;

  private RawQuery(TSDB tsdb, TSQuery query, int index) {
    this.tsdb = tsdb;
    this.query = query;
    this.sub = query.getQueries().get(index);
    this.raw = new TsdbQuery(tsdb);
  }

  /**
   * Resolves the names of a sub-query. Fails as OpenTSDB's own query, for example with
   * NoSuchUniqueName.
   *
   * @param query after {@code validateAndSetQuery}
   */
  public static Deferred<RawQuery> of(TSDB tsdb, TSQuery query, int index) {
    RawQuery configured = new RawQuery(tsdb, query, index);
    return configured.raw.configureFromQuery(query, index, true).addCallback(done -> configured);
  }

  /**
   * OpenTSDB's own answer, with its own choice of tables: for queries that delete, and for tables
   * of pre-aggregated values.
   */
  public static Deferred<DataPoints[]> stock(TSDB tsdb, TSQuery query, int index) {
    TsdbQuery own = new TsdbQuery(tsdb);
    Deferred<Object> resolved = own.configureFromQuery(query, index);
    if (!own.needsSplitting()) {
      return resolved.addCallbackDeferring(done -> run(own));
    }
    Query split = new SplitRollupQuery(tsdb, own, resolved);
    return split.configureFromQuery(query, index).addCallbackDeferring(done -> run(split));
  }

  /** OpenTSDB's answer from raw data. */
  public Deferred<DataPoints[]> run() {
    return run(raw);
  }

  private static Deferred<DataPoints[]> run(Query query) {
    return query.isHistogramQuery() ? query.runHistogramAsync() : query.runAsync();
  }

  /** Why only OpenTSDB's own reader can answer; empty if any can. */
  public String ownReaderOnly() {
    if (sub.getUseMultiGets() && tsdb.getConfig().getBoolean("tsd.query.multi_get.enable")) {
      return "multi-get";
    }
    if (readsRowAfterEnd()) {
      for (byte[][] values : TsdbQuery.ForTesting.getRowKeyLiterals(raw).values()) {
        if (values != null && values.length == 0) {
          return "explicitTags with not_key";
        }
      }
    }
    return "";
  }

  /** Whether the query reads the table of pre-aggregated values. */
  public boolean isPreAggregate() {
    return raw.isPreAggregate();
  }

  /** First second of the rows that are scanned. */
  public long scanStart() {
    return raw.getScanStartTimeSeconds();
  }

  /** The second at which the scan for rows ends; see {@link #readsRowAfterEnd}. */
  public long scanEnd() {
    return raw.getScanEndTimeSeconds();
  }

  /** With explicit tags OpenTSDB's fuzzy row filter also reads the row that begins at the end. */
  public boolean readsRowAfterEnd() {
    Map<byte[], byte[][]> literals = TsdbQuery.ForTesting.getRowKeyLiterals(raw);
    return sub.getExplicitTags()
        && tsdb.getConfig().getBoolean("tsd.query.enable_fuzzy_filter")
        && noTsuids()
        && literals != null
        && !literals.isEmpty();
  }

  /**
   * Whether another reader may read the rows in place of OpenTSDB's: not for histograms, multi-get,
   * and limits of OpenTSDB.
   */
  public boolean isReadable() {
    QueryLimitOverride limits = tsdb.getQueryByteLimits();
    return !sub.isHistogramQuery()
        && !query.getDelete()
        && !(sub.getUseMultiGets() && tsdb.getConfig().getBoolean("tsd.query.multi_get.enable"))
        && limits.getByteLimit(sub.getMetric()) <= 0
        && limits.getDataPointLimit(sub.getMetric()) <= 0;
  }

  /** Its place in the query. */
  public int index() {
    return raw.getQueryIdx();
  }

  /** The statistics to which a reader adds its scans; null if the query does not show them. */
  public @Nullable QueryStats scanStats() {
    return query.getShowStats() || query.getShowSummary() ? query.getQueryStats() : null;
  }

  /**
   * All has been read.
   *
   * @param nanos time that it took
   */
  public void scanned(long nanos) {
    add(QueryStat.QUERY_SCAN_TIME, nanos);
    // The reader merges what the scans have found.
    add(QueryStat.SCANNER_MERGE_TIME, 0);
  }

  private void add(QueryStat name, long value) {
    QueryStats stats = scanStats();
    if (stats != null) {
      stats.addStat(index(), name, value);
    }
  }

  /** The scanner of a salt bucket, as OpenTSDB makes it; 0 without salt. */
  public Scanner scanner(int bucket) {
    Scanner scanner = made(bucket);
    // A row comes in one piece, however many cells it has.
    scanner.setMaxNumKeyValues(-1);
    return scanner;
  }

  /**
   * A digest of the metric and the filters: queries of the same digest read the same series. The
   * texts themselves may be long, and those who keep estimates would keep them.
   */
  public String selection() {
    StringBuilder text = new StringBuilder(UniqueId.uidToString(metric()));
    text.append(sub.getExplicitTags() ? " explicit " : " ").append(sub.getTsuids());
    if (sub.getFilters() != null) {
      for (TagVFilter filter : sub.getFilters()) {
        text.append(' ').append(filter.getTagk()).append('=');
        text.append(filter.getType()).append('(').append(filter.getFilter()).append(')');
      }
    }
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
  }

  private boolean noTsuids() {
    return sub.getTsuids() == null || sub.getTsuids().isEmpty();
  }

  /** The UID of the metric. */
  public byte[] metric() {
    if (noTsuids()) {
      return TsdbQuery.ForTesting.getMetric(raw);
    }
    int digits = TSDB.metrics_width() * 2;
    return UniqueId.stringToUid(sub.getTsuids().get(0).substring(0, digits));
  }

  /** The filter of row keys by tags or TSUIDs; null: all series of the metric. */
  public ScanFilter rowFilter() {
    return made(0).getFilter();
  }

  /** TsdbQuery sorts its lists whenever it makes a scanner, and is not thread-safe. */
  private synchronized Scanner made(int bucket) {
    return raw.getScanner(bucket);
  }

  /** The filters that look at the names of a series' tags, after its row was read. */
  public List<TagVFilter> filtersOfNames() {
    List<TagVFilter> filters = new ArrayList<>();
    if (sub.getFilters() != null) {
      for (TagVFilter filter : sub.getFilters()) {
        if (filter.postScan()) {
          filters.add(filter);
        }
      }
    }
    return filters;
  }

  /**
   * Whether filters of names let a series pass.
   *
   * @param key row key of any row of the series
   * @param resolved called with the number of its tags
   */
  public Deferred<Boolean> passes(byte[] key, List<TagVFilter> filters, IntConsumer resolved) {
    return Tags.getTagsAsync(tsdb, key)
        .addCallbackDeferring(
            tags -> {
              resolved.accept(tags.size());
              List<Deferred<Boolean>> matches = new ArrayList<>();
              for (TagVFilter filter : filters) {
                matches.add(filter.match(tags));
              }
              return Deferred.group(matches);
            })
        .addCallback(matches -> !matches.contains(false));
  }

  /**
   * The answer over these series, grouped as TsdbQuery does.
   *
   * @param series in any order
   * @param counted whether values of series are sums and counts that the Downsampler must divide,
   *     or counts that it must add
   */
  public DataPoints[] group(Collection<? extends KeyedSpan> series, boolean counted) {
    long begin = System.nanoTime();
    DataPoints[] groups = groups(series, counted);
    add(QueryStat.GROUP_BY_TIME, System.nanoTime() - begin);
    return groups;
  }

  private DataPoints[] groups(Collection<? extends KeyedSpan> series, boolean counted) {
    RollupQuery rollup = counted ? functionOnly() : null;
    SortedMap<byte[], KeyedSpan> spans =
        new TreeMap<>(new TsdbQuery.SpanCmp((short) (Const.SALT_WIDTH() + TSDB.metrics_width())));
    for (KeyedSpan each : series) {
      spans.put(each.key(), each);
    }
    if (spans.isEmpty()) {
      return new DataPoints[0];
    }
    if (raw.getAggregator() == Aggregators.NONE) {
      List<SpanGroup> groups = new ArrayList<>();
      for (KeyedSpan span : spans.values()) {
        SpanGroup group = group(null, rollup, null);
        group.add(span);
        groups.add(group);
      }
      return groups.toArray(new SpanGroup[0]);
    }
    List<byte[]> groupBys = TsdbQuery.ForTesting.getGroupBys(raw);
    if (groupBys == null) {
      return new SpanGroup[] {group(new ArrayList<>(spans.values()), rollup, new byte[0])};
    }
    Bytes.ByteMap<SpanGroup> groups = new Bytes.ByteMap<>();
    for (Map.Entry<byte[], KeyedSpan> each : spans.entrySet()) {
      byte[] values = valuesOf(groupBys, each.getKey());
      if (values != null) {
        groups.computeIfAbsent(values, absent -> group(null, rollup, values)).add(each.getValue());
      }
    }
    return groups.values().toArray(new SpanGroup[0]);
  }

  /**
   * The percentiles of these series, grouped as TsdbQuery does: of each group a row for each of
   * them.
   *
   * @param series in any order
   * @throws NotExactException if a group has histograms of two codecs, which cannot be added.
   *     OpenTSDB answers if its own histogram cells have one codec
   */
  public DataPoints[] percentiles(Collection<HistogramPieces> series) {
    long begin = System.nanoTime();
    SortedMap<byte[], HistogramPieces> spans =
        new TreeMap<>(new TsdbQuery.SpanCmp((short) (Const.SALT_WIDTH() + TSDB.metrics_width())));
    for (HistogramPieces each : series) {
      spans.put(each.key(), each);
    }
    boolean isNone = raw.getAggregator() == Aggregators.NONE;
    List<byte[]> groupBys = isNone ? null : TsdbQuery.ForTesting.getGroupBys(raw);
    List<List<HistogramPieces>> all = new ArrayList<>();
    Bytes.ByteMap<List<HistogramPieces>> groups = new Bytes.ByteMap<>();
    for (Map.Entry<byte[], HistogramPieces> each : spans.entrySet()) {
      byte[] values = groupBys == null ? new byte[0] : valuesOf(groupBys, each.getKey());
      if (isNone) {
        all.add(Collections.singletonList(each.getValue()));
      } else if (values != null) {
        groups.computeIfAbsent(values, absent -> new ArrayList<>()).add(each.getValue());
      }
    }
    all.addAll(groups.values());
    List<DataPoints> answer = new ArrayList<>();
    for (List<HistogramPieces> of : all) {
      HistogramSpanGroup group = histograms();
      Set<Integer> codecs = new TreeSet<>();
      for (HistogramPieces each : of) {
        group.add(each);
        codecs.addAll(each.codecs());
      }
      if (codecs.size() > 1) {
        throw new NotExactException("histograms of codec ids " + codecs);
      }
      for (Float percentile : sub.getPercentiles()) {
        answer.add(new HistogramDataPointsToDataPointsAdaptor(group, percentile));
      }
    }
    add(QueryStat.GROUP_BY_TIME, System.nanoTime() - begin);
    return answer.toArray(new DataPoints[0]);
  }

  private HistogramSpanGroup histograms() {
    return new HistogramSpanGroup(
        tsdb,
        scanStart(),
        scanEnd(),
        null,
        HistogramAggregation.SUM,
        raw.getDownsampler(),
        raw.getStartTime(),
        raw.getEndTime(),
        raw.getQueryIdx(),
        false,
        null);
  }

  /** Of a RollupQuery the Downsampler looks at the function alone. */
  private RollupQuery functionOnly() {
    return new RollupQuery(
        tsdb.getRollupConfig().getIntervals().get(0),
        raw.getDownsampler().getFunction(),
        raw.getDownsampler().getInterval(),
        raw.getAggregator());
  }

  /** The joined values of the tags; null if the series has not all of them. */
  private byte[] valuesOf(List<byte[]> tagKeys, byte[] key) {
    int width = TSDB.tagv_width();
    byte[] values = new byte[tagKeys.size() * width];
    int at = 0;
    for (byte[] tagKey : tagKeys) {
      byte[] value = Tags.getValueId(tsdb, key, tagKey);
      if (value == null) {
        return null;
      }
      System.arraycopy(value, 0, values, at, width);
      at += width;
    }
    return values;
  }

  private SpanGroup group(Iterable<Span> spans, RollupQuery rollup, byte[] values) {
    return new SpanGroup(
        tsdb,
        scanStart(),
        scanEnd(),
        spans,
        raw.isRate(),
        raw.getRateOptions(),
        raw.getAggregator(),
        raw.getDownsampler(),
        raw.getStartTime(),
        raw.getEndTime(),
        raw.getQueryIdx(),
        rollup,
        values);
  }

  /** The name of the metric: of the query, or of its TSUIDs. */
  public Deferred<String> metricName() {
    if (noTsuids()) {
      return Deferred.fromResult(sub.getMetric());
    }
    return tsdb.metrics.getNameAsync(metric());
  }

  /** Whether annotations of series are part of the answer. */
  public boolean wantsAnnotations() {
    return !query.getNoAnnotations();
  }
}
