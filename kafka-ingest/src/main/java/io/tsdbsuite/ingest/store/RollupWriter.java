package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.ingest.mask.Floors;
import io.tsdbsuite.ingest.mask.MaskRule;
import io.tsdbsuite.message.Origin;
import io.tsdbsuite.message.read.AggregateElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.SeriesElement;
import io.tsdbsuite.message.write.RollupValues;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import net.opentsdb.core.Aggregators;
import net.opentsdb.core.SeriesRowKeys;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.Tags;
import net.opentsdb.core.WriteableDataPointFilterPlugin;
import org.hbase.async.DeleteRequest;
import org.hbase.async.HBaseClient;
import org.jspecify.annotations.Nullable;

/**
 * Writes rollups: all values of a message in one put, together with queued messages for the same
 * row ({@link RowBatch}), with one fixed width per aggregator; a histogram in a table of its own.
 *
 * <p>The TSD's {@code addAggregatePoint} puts each value separately, on the smallest width that
 * holds it. A later, larger value of the same interval is then a second column, and queries fail.
 * With a fixed width a value always replaces the older one. Source: docs/storage.md 6.3.
 */
final class RollupWriter {
  private static final byte[] FAMILY = RowKey.family();

  /** For messages. */
  private static final String WHAT = "a rollup";

  private final TSDB tsdb;
  private final HBaseClient client;
  private final @Nullable RollupSchema schema;
  private final @Nullable WriteableDataPointFilterPlugin filter;
  private final boolean tagRaw;
  private final Clock clock;
  private final NameCheck names;
  private final Floors floors;

  /** Creates a writer; the schema is null if rollups are disabled. */
  RollupWriter(
      TSDB tsdb, @Nullable RollupSchema schema, NameCheck names, Floors floors, Clock clock) {
    this.names = names;
    this.floors = floors;
    this.tsdb = tsdb;
    this.client = tsdb.getClient();
    this.schema = schema;
    this.clock = clock;
    this.filter = tsdb.getTSfilter();
    this.tagRaw = schema != null && tsdb.getConfig().getBoolean("tsd.rollups.tag_raw");
  }

  Deferred<Object> store(RollupElement element, long cellTimestamp, RowBatch batch)
      throws BadMessageException, IOException {
    // The tag of a raw series is added to its tags.
    RollupElement point = tagRaw ? element.withOwnTags() : element;
    RollupSchema rollups = requireSchema();
    RollupTarget target = rollups.target(point.interval());
    long baseTime = baseTime(target, point);
    target.requireStart(baseTime, point.timestamp());
    floors.require(WHAT, point.metric(), point.timestamp());
    int offset = target.offset(baseTime, point.timestamp());
    if (point.isDeletion()) {
      return delete(point, target, baseTime, offset, cellTimestamp, batch);
    }
    int n = point.size();
    byte[][] qualifiers = new byte[n][];
    byte[][] values = new byte[n][];
    for (int i = 0; i < n; i++) {
      int id = rollups.aggregatorId(point.aggregator(i));
      encode(point.aggregator(i), id, offset, point.value(i), qualifiers, values, i);
    }
    String codec = point.codec();
    byte[] histogram = codec == null ? null : checked(rollups, target, codec, point.histogram());
    tagSeries(point.tags(), null);
    long timestamp = timestamp(point, target, cellTimestamp, batch);
    if (target.packed != null && n > 0) {
      target.packed.require(qualifiers, timestamp);
    }
    byte[] row = SeriesRowKeys.of(tsdb, point.metric(), point.tags(), (int) baseTime);
    List<Deferred<Object>> answers = new ArrayList<>(1);
    if (n > 0) {
      answers.add(put(point, target, row, qualifiers, values, timestamp, batch));
    } else {
      delete(target, row, offset, timestamp, batch, answers);
    }
    if (histogram != null) {
      answers.add(putHistogram(point, target, row, point.timestamp(), histogram, timestamp, batch));
    }
    return all(answers);
  }

  /** The cell of a histogram whose bytes the codec takes: a TSD drops others from its answers. */
  private static byte[] checked(
      RollupSchema rollups, RollupTarget target, String codec, byte[] bytes)
      throws BadMessageException {
    byte[] cell = rollups.histogram(target, codec, bytes);
    try {
      new BucketHistogram(rollups.codecs()).addCell(codec, bytes, 0, bytes.length);
    } catch (HistogramException e) {
      throw new BadMessageException(
          e.isUnknownCodec() ? Reason.UNKNOWN_CODEC : Reason.BAD_VALUE,
          "histogram.value must suit its codec, found: " + e.getMessage());
    }
    return cell;
  }

  private Deferred<Object> putHistogram(
      SeriesElement point,
      RollupTarget target,
      byte[] row,
      long start,
      byte[] cell,
      long timestamp,
      RowBatch batch) {
    byte[] table = Objects.requireNonNull(target.histogramTable);
    byte[] key = RollupTarget.histogramRow(row, start);
    byte[][] qualifiers = RollupTarget.histogramColumn(start);
    byte[][] values = {cell};
    if (filter != null && filter.filterDataPoints()) {
      return filter
          .allowHistogramPoint(point.metric(), start, cell, point.tags())
          .addCallbackDeferring(
              allowed ->
                  Boolean.TRUE.equals(allowed)
                      ? client.put(RowBatch.request(table, key, qualifiers, values, timestamp))
                      : Deferred.fromResult(null));
    }
    return batch.add(table, null, key, qualifiers, values, timestamp);
  }

  /** Called back after all of them; at least one. */
  static Deferred<Object> all(List<Deferred<Object>> answers) {
    return answers.size() == 1 ? answers.get(0) : Deferred.group(answers).addCallback(each -> null);
  }

  /**
   * The cell timestamp is the time of reading, so that the newest reading wins in any order of
   * arrival. It is limited to the current time: a future one would hide all readings until then.
   */
  private long timestamp(
      RollupElement point, RollupTarget target, long cellTimestamp, RowBatch batch) {
    if (!point.hasAsOf()) {
      return target.packed != null && cellTimestamp == ElementSink.NOW
          ? batch.now(clock.millis())
          : cellTimestamp;
    }
    long latest = cellTimestamp == ElementSink.NOW ? clock.millis() : cellTimestamp;
    return Math.min(point.asOf(), latest);
  }

  /** Deletes the rollup of an interval, and its histogram. */
  private Deferred<Object> delete(
      RollupElement point,
      RollupTarget target,
      long baseTime,
      int offset,
      long cellTimestamp,
      RowBatch batch)
      throws BadMessageException {
    tagSeries(point.tags(), null);
    byte[] row = SeriesRowKeys.of(tsdb, point.metric(), point.tags(), (int) baseTime);
    long timestamp = timestamp(point, target, cellTimestamp, batch);
    List<Deferred<Object>> answers = new ArrayList<>(1);
    byte[] histograms = target.histogramTable;
    if (histograms != null) {
      byte[] key = RollupTarget.histogramRow(row, point.timestamp());
      byte[][] column = RollupTarget.histogramColumn(point.timestamp());
      answers.add(delete(histograms, key, column, timestamp));
    }
    delete(target, row, offset, timestamp, batch, answers);
    return all(answers);
  }

  /**
   * Deletes all cells of an interval, including cells with the widths that a TSD writes, and takes
   * it back in the packed table.
   *
   * @param timestamp timestamp of the delete markers, which hide cells up to it (inclusive)
   * @param answers gets those of HBase
   */
  private void delete(
      RollupTarget target,
      byte[] row,
      int offset,
      long timestamp,
      RowBatch batch,
      List<Deferred<Object>> answers)
      throws BadMessageException {
    byte[] table = target.table(false);
    if (target.packed != null) {
      PackedTable.requireAsOf(timestamp);
    }
    Deferred<Object> deletion = delete(table, row, requireSchema().qualifiers(offset), timestamp);
    answers.add(
        target.packed == null
            ? deletion
            : batch.takeBack(table, target.packed, row, offset, timestamp, deletion));
  }

  private Deferred<Object> delete(byte[] table, byte[] row, byte[][] qualifiers, long timestamp) {
    return client.delete(
        timestamp == ElementSink.NOW
            ? new DeleteRequest(table, row, FAMILY, qualifiers)
            : new DeleteRequest(table, row, FAMILY, qualifiers, timestamp));
  }

  Deferred<Object> store(AggregateElement point, long cellTimestamp, RowBatch batch)
      throws BadMessageException, IOException {
    RollupSchema rollups = requireSchema();
    String groupBy = point.groupByAggregator();
    if (groupBy != null) {
      requireGroupBy(rollups, groupBy);
    }
    String interval = point.interval();
    String aggregator = point.aggregator();
    if (interval == null || aggregator == null) {
      return storeAsTheTsd(point);
    }
    RollupTarget target = rollups.target(interval);
    if (target.packed != null && target.packs(groupBy != null)) {
      throw target.packed.refuseAggregate();
    }
    // The time may be in milliseconds. A floor is a midnight, so the hour has the same answer.
    floors.require(WHAT, point.metric(), target.start(MaskRule.hour(point.timestamp())));
    if (point.origin() != null) {
      // The TSD's own write may have succeeded after all, or a client repeats it.
      return storeAsTheTsd(point);
    }
    long baseTime = baseTime(target, point);
    byte[][] qualifiers = new byte[1][];
    byte[][] values = new byte[1][];
    int offset = target.offset(baseTime, point.timestamp());
    int id = rollups.aggregatorId(aggregator);
    encode(aggregator, id, offset, point.value(), qualifiers, values, 0);
    tagSeries(point.tags(), groupBy);
    byte[] table = target.table(groupBy != null);
    byte[] row = SeriesRowKeys.of(tsdb, point.metric(), point.tags(), (int) baseTime);
    return filter != null
        ? putAllowed(filter, point, table, row, qualifiers, values, cellTimestamp)
        : batch.add(table, null, row, qualifiers, values, cellTimestamp);
  }

  /**
   * Writes with the TSD's own widths: pre-aggregates of raw points, whose cells are raw cells, and
   * points that the TSD itself requeued.
   */
  private Deferred<Object> storeAsTheTsd(AggregateElement point) throws BadMessageException {
    String metric = point.metric();
    long timestamp = point.timestamp();
    Map<String, String> tags = point.tags();
    String groupBy = point.groupByAggregator();
    boolean grouped = groupBy != null;
    if (groupBy != null) {
      // The TSD adds it.
      names.requireTag(tsdb.getAggTagKey(), groupBy.toUpperCase(Locale.ROOT));
    }
    String interval = point.interval();
    String aggregator = point.aggregator();
    if (Tags.looksLikeInteger(point.value())) {
      long number = NumberParser.whole("value", point.value());
      return tsdb.addAggregatePoint(
          metric, timestamp, number, tags, grouped, interval, aggregator, groupBy);
    }
    double number = NumberParser.finite("value", point.value());
    float narrow = (float) number;
    return point.origin() == Origin.TELNET && narrow == number
        ? tsdb.addAggregatePoint(
            metric, timestamp, narrow, tags, grouped, interval, aggregator, groupBy)
        : tsdb.addAggregatePoint(
            metric, timestamp, number, tags, grouped, interval, aggregator, groupBy);
  }

  /** Hours of an interval's bucket; 1 if it is less or the interval is not configured. */
  long bucketHours(String interval) {
    RollupTarget target = schema == null ? null : schema.find(interval);
    return target == null ? 1 : Math.max(1, target.interval.seconds() / RepairPlan.HOUR);
  }

  /** The heap that the packed part of a rollup takes, at most, bytes. */
  long bytes(RollupElement point) {
    RollupTarget target = schema == null ? null : schema.find(point.interval());
    return target == null || target.packed == null ? 0 : target.packed.bytes(point.size());
  }

  RollupSchema requireSchema() throws BadMessageException {
    if (schema == null) {
      throw new BadMessageException(
          Reason.SWITCHED_OFF,
          "tsd.rollups.enable must be true and tsd.rollups.config valid to store rollups, found"
              + " rollups disabled or without a valid configuration");
    }
    return schema;
  }

  private static void requireGroupBy(RollupSchema rollups, String groupBy)
      throws BadMessageException {
    try {
      Aggregators.get(groupBy.toLowerCase(Locale.ROOT));
    } catch (RuntimeException e) {
      throw new BadMessageException(
          Reason.UNKNOWN_AGGREGATOR,
          "groupByAggregator must be an aggregator of OpenTSDB, found " + groupBy);
    }
    rollups.requireNotDerived(groupBy);
  }

  private static long baseTime(RollupTarget target, SeriesElement point)
      throws BadMessageException {
    if (point.timestamp() > RollupTarget.MAX_SECONDS) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP,
          "timestamp of a rollup must be seconds since the epoch on 32 bits, found "
              + point.timestamp());
    }
    return target.interval.baseTime(point.timestamp());
  }

  private static void encode(
      String aggregator,
      int id,
      int offset,
      String text,
      byte[][] qualifiers,
      byte[][] values,
      int i)
      throws BadMessageException {
    if (aggregator.equalsIgnoreCase("count")) {
      qualifiers[i] = RollupCell.countQualifier(id, offset);
      values[i] = RollupCell.countValue(NumberParser.count(aggregator, text));
    } else {
      qualifiers[i] = RollupCell.doubleQualifier(id, offset);
      values[i] = RollupCell.doubleValue(NumberParser.finite(aggregator, text));
    }
  }

  /** Sets the tag that marks pre-aggregates and raw series, by the rules of addAggregatePoint. */
  private void tagSeries(Map<String, String> tags, @Nullable String groupBy)
      throws BadMessageException {
    String key = tsdb.getAggTagKey();
    String given = tags.get(key);
    if (given != null && !given.equalsIgnoreCase(groupBy)) {
      throw new BadMessageException(
          Reason.REFUSED,
          String.format(
              "tag %s must be that of the groupByAggregator, %s, found %s",
              key, groupBy == null ? "or absent without one" : groupBy, given));
    }
    String value = tagRaw ? tsdb.getRawTagValue() : null;
    if (groupBy != null) {
      value = groupBy.toUpperCase(Locale.ROOT);
    }
    if (value != null) {
      names.requireTag(key, value);
      tags.put(key, value);
    }
  }

  /** Puts the cells of a rollup, and then its part of the packed table. */
  private Deferred<Object> put(
      SeriesElement point,
      RollupTarget target,
      byte[] row,
      byte[][] qualifiers,
      byte[][] values,
      long cellTimestamp,
      RowBatch batch) {
    byte[] table = target.table(false);
    // No TSD with a filter has packed tables.
    return filter != null
        ? putAllowed(filter, point, table, row, qualifiers, values, cellTimestamp)
        : batch.add(table, target.packed, row, qualifiers, values, cellTimestamp);
  }

  /**
   * The row key of a series' rollups, with base time 0. Blocks while names without a cached UID are
   * resolved; with {@code tsd.rollups.tag_raw} it adds the tag for it to the series.
   *
   * @param series a series whose names have UIDs
   * @throws BadMessageException when the series has that tag with another value
   */
  byte[] row(SeriesElement series) throws BadMessageException {
    tagSeries(series.tags(), null);
    return SeriesRowKeys.of(tsdb, series.metric(), series.tags(), 0);
  }

  /**
   * Writes a rollup computed here, with the cells of a {@code Rollup} message with its values. Does
   * not block.
   *
   * @param row result of {@link #row} for the series
   * @param start start of the interval, seconds since the epoch
   * @param values of at least one point, all finite, or a histogram, or both; without points the
   *     stored values are deleted
   * @param asOf timestamp of the cells, milliseconds since the epoch
   */
  Deferred<Object> store(
      SeriesElement series,
      byte[] row,
      RollupTarget target,
      long start,
      RollupValues values,
      long asOf,
      RowBatch batch)
      throws BadMessageException {
    RollupSchema rollups = requireSchema();
    long baseTime = target.interval.baseTime(start);
    int offset = target.offset(baseTime, start);
    List<Deferred<Object>> answers = new ArrayList<>(1);
    String codec = values.codec();
    if (codec != null) {
      byte[] cell = rollups.histogram(target, codec, values.histogram());
      answers.add(putHistogram(series, target, row, start, cell, asOf, batch));
    }
    byte[] key = SeriesRowKeys.at(row, baseTime);
    if (!values.hasValues()) {
      delete(target, key, offset, asOf, batch, answers);
      return all(answers);
    }
    int further = values.names().size();
    byte[][] qualifiers = new byte[4 + further][];
    byte[][] cells = new byte[4 + further][];
    qualifiers[0] = RollupCell.doubleQualifier(rollups.aggregatorId("sum"), offset);
    qualifiers[1] = RollupCell.doubleQualifier(rollups.aggregatorId("min"), offset);
    qualifiers[2] = RollupCell.doubleQualifier(rollups.aggregatorId("max"), offset);
    qualifiers[3] = RollupCell.countQualifier(rollups.aggregatorId("count"), offset);
    cells[0] = RollupCell.doubleValue(values.sum());
    cells[1] = RollupCell.doubleValue(values.min());
    cells[2] = RollupCell.doubleValue(values.max());
    cells[3] = RollupCell.countValue(values.count());
    for (int i = 0; i < further; i++) {
      int id = rollups.aggregatorId(values.names().get(i));
      qualifiers[4 + i] = RollupCell.doubleQualifier(id, offset);
      cells[4 + i] = RollupCell.doubleValue(values.further(i));
    }
    if (target.packed != null) {
      target.packed.require(qualifiers, asOf);
    }
    answers.add(put(series, target, key, qualifiers, cells, asOf, batch));
    return all(answers);
  }

  /** Puts the values that the filter allows, like addAggregatePoint. */
  private Deferred<Object> putAllowed(
      WriteableDataPointFilterPlugin filter,
      SeriesElement point,
      byte[] table,
      byte[] row,
      byte[][] qualifiers,
      byte[][] values,
      long cellTimestamp) {
    List<Deferred<Boolean>> answers = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      short flags = (short) (qualifiers[i][2] & 0xf);
      answers.add(
          filter.allowDataPoint(point.metric(), point.timestamp(), values[i], point.tags(), flags));
    }
    return Deferred.groupInOrder(answers)
        .addCallbackDeferring(
            allowed -> {
              byte[][] kept = keep(qualifiers, allowed);
              return kept.length == 0
                  ? Deferred.fromResult(null)
                  : client.put(
                      RowBatch.request(table, row, kept, keep(values, allowed), cellTimestamp));
            });
  }

  private static byte[][] keep(byte[][] all, List<Boolean> allowed) {
    List<byte[]> kept = new ArrayList<>();
    for (int i = 0; i < all.length; i++) {
      if (Boolean.TRUE.equals(allowed.get(i))) {
        kept.add(all[i]);
      }
    }
    return kept.toArray(new byte[0][]);
  }
}
