package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.compute.MetricSelector;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.threads.Workers;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what queries see of a run in its tables, at several parts of a table at the same time.
 *
 * @param codecs of histograms
 * @param oldest raw points of before this time may have expired, seconds since the epoch
 */
record TableLook(
    Connection connection,
    StoredRun run,
    StorageSchema schema,
    HistogramCodecs codecs,
    UidNames names,
    long oldest) {
  /** Parts at the same time: enough for some servers, and few for one. */
  static final int THREADS = 8;

  /**
   * Rows of raw points that are read for the rollups of a table: about a minute. More rollups that
   * others have stored are not proven.
   */
  private static final int MAX_RAW_ROWS = 200_000;

  /**
   * Looks at a table, and then at the raw points of the rollups that others have stored since.
   *
   * @throws IOException when HBase fails
   */
  SeenRollups look(Manifest.Table of, Level level) throws IOException {
    Manifest manifest = run.manifest();
    long from = manifest.from();
    long to = manifest.to();
    AtomicInteger compared =
        new AtomicInteger(MAX_RAW_ROWS / RawRollups.rows(schema, level.interval().seconds()));
    Function<LongPredicate, SeenRollups> nothing =
        excluded ->
            new SeenRollups(
                new RowKey(schema),
                level,
                of.ids(),
                manifest.stamp(),
                from,
                to,
                excluded,
                compared);
    List<Part> parts = new ArrayList<>();
    List<KeyRange> all = parts(of.name());
    for (boolean before : new boolean[] {false, true}) {
      if (before ? !manifest.hasChangedRows() : from >= to) {
        continue;
      }
      for (KeyRange part : before ? run.before(of, all) : all) {
        MetricSelector selector = new MetricSelector(ProvenWindows.patterns(manifest), names);
        parts.add(new Part(part, before, nothing.apply(selector::excludes)));
      }
    }
    String histograms =
        manifest.tables().stream()
            .filter(each -> each.isHistogram() && each.interval().equals(of.level()))
            .map(Manifest.Table::name)
            .findAny()
            .orElse(null);
    SeenRollups whole = nothing.apply(uid -> false);
    try (Workers workers = new Workers("look", THREADS)) {
      workers.mapUntilFailure(parts, part -> look(of.name(), histograms, part)).forEach(whole::add);
    }
    return whole;
  }

  /**
   * Compares the packed rows of an interval with its plain ones.
   *
   * @param from seconds since the epoch
   * @param to seconds since the epoch, exclusive
   * @throws IOException when HBase fails
   */
  PackedLook packed(RollupConfig rollups, Level level, long from, long to) throws IOException {
    Manifest manifest = run.manifest();
    RollupInterval interval = level.interval();
    Function<LongPredicate, PackedLook> nothing =
        excluded -> new PackedLook(new RowKey(schema), rollups, interval, from, to, excluded);
    PackedLook whole = nothing.apply(uid -> false);
    try (Workers workers = new Workers("compare", THREADS)) {
      workers
          .mapUntilFailure(
              parts(interval.table()),
              range -> {
                PackedLook part =
                    nothing.apply(
                        new MetricSelector(ProvenWindows.patterns(manifest), names)::excludes);
                try (Table plain = connection.getTable(TableName.valueOf(interval.table()));
                    Table packed = connection.getTable(TableName.valueOf(level.table()))) {
                  part.look(plain, packed, range);
                }
                return part;
              })
          .forEach(whole::add);
    }
    return whole;
  }

  /**
   * A part of a table.
   *
   * @param before whether the rollups of before the window are sought, instead of the window's
   * @param seen receives them
   */
  private record Part(KeyRange range, boolean before, SeenRollups seen) {}

  private SeenRollups look(String name, @Nullable String histograms, Part part) throws IOException {
    try (Table table = connection.getTable(TableName.valueOf(name));
        Table data = connection.getTable(TableName.valueOf(schema.dataTable()))) {
      if (part.before) {
        part.seen.beforeWindow(table, part.range);
      } else {
        part.seen.ofWindow(table, part.range);
      }
      RawRollups raw = new RawRollups(data, schema, codecs, oldest);
      if (histograms == null) {
        part.seen.prove(raw, null);
      } else {
        try (Table beside = connection.getTable(TableName.valueOf(histograms))) {
          part.seen.prove(raw, beside);
        }
      }
    }
    return part.seen;
  }

  /** The regions of a table, divided by salt buckets. */
  private List<KeyRange> parts(String name) throws IOException {
    TreeSet<byte[]> starts = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    starts.add(new byte[0]);
    try (RegionLocator regions = connection.getRegionLocator(TableName.valueOf(name))) {
      starts.addAll(Arrays.asList(regions.getStartKeys()));
    }
    if (schema.saltWidth() > 0) {
      RowKey rowKey = new RowKey(schema);
      for (int bucket = 0; bucket < schema.saltBuckets(); bucket++) {
        starts.add(rowKey.bucket(bucket));
      }
    }
    List<KeyRange> parts = new ArrayList<>();
    for (byte[] start : starts) {
      byte[] stop = starts.higher(start);
      parts.add(new KeyRange(start, stop == null ? new byte[0] : stop, false));
    }
    return parts;
  }
}
