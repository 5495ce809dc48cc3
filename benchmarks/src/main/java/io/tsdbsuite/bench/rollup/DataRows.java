package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows of a data table: metrics by hours by series, each with the tags dc and host; contents
 * rotate. Each metric has its own hosts, spread over all UIDs, so that lookups of names do not hit
 * the processor's cache.
 *
 * @param like contents of the rows
 * @param firstMetric UID of the first metric
 * @param metrics number of metrics, with consecutive UIDs
 * @param firstHour hours from {@link #START} to the first one
 * @param hours number of hours
 * @param series number of series of each metric
 */
record DataRows(
    List<BenchRow> like, int firstMetric, int metrics, int firstHour, int hours, int series)
    implements Tables.Rows {
  /** The first hour, seconds since the epoch, UTC. */
  static final long START = 1_690_848_000L;

  static final StorageSchema SCHEMA = StorageSchema.defaults();

  private static final RowKey KEY = new RowKey(SCHEMA);
  private static final byte[] FAMILY = Bytes.toBytes(Tables.FAMILY);
  private static final int DCS = 16;

  /** Points of the rotating rows: more than a branch predictor can learn. */
  private static final int DIFFERENT_POINTS = 1 << 17;

  private static final int SMALL_HOURS = 2;
  private static final int SMALL_SERIES = 12;

  /** Rows of metrics with UIDs from 1 on, and of hours from {@link #START} on. */
  DataRows(List<BenchRow> like, int metrics, int hours, int series) {
    this(like, 1, metrics, 0, hours, series);
  }

  /** Different rows of a shape. */
  static List<BenchRow> like(RowShape shape) {
    Random random = new Random(shape.points());
    return Stream.generate(() -> shape.row(random))
        .limit(DIFFERENT_POINTS / shape.points())
        .toList();
  }

  /** End of some hours, exclusive, seconds since the epoch, UTC. */
  static long end(int hours) {
    return START + (long) hours * RowKey.ROW_SPAN_SECONDS;
  }

  /** Regions whose numbers of metrics differ by at most one, of one HFile each. */
  List<Tables.Region> regions(int count) {
    int number = Math.min(count, metrics);
    List<Tables.Region> regions = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      int from = 1 + i * metrics / number;
      int to = 1 + (i + 1) * metrics / number;
      regions.add(
          region(from, to, i, number, new DataRows(like, from, to - from, 0, hours, series)));
    }
    return regions;
  }

  /** Regions of one metric each, with small HFiles of 1,440 points. */
  static List<Tables.Region> smallFiles(int regions, int files) {
    List<BenchRow> like = like(RowShape.S3_COMPACTED_60);
    List<Tables.Region> made = new ArrayList<>();
    for (int region = 0; region < regions; region++) {
      int metric = region + 1;
      Tables.Rows[] rows = new Tables.Rows[files];
      for (int file = 0; file < files; file++) {
        rows[file] = new DataRows(like, metric, 1, file * SMALL_HOURS, SMALL_HOURS, SMALL_SERIES);
      }
      made.add(region(metric, metric + 1, region, regions, rows));
    }
    return made;
  }

  /** Points of a table of {@link #smallFiles}. */
  static long smallFilePoints(int regions, int files) {
    return (long) regions * files * SMALL_HOURS * SMALL_SERIES * RowShape.S3_COMPACTED_60.points();
  }

  /** Hours of a table of {@link #smallFiles}. */
  static int smallFileHours(int files) {
    return files * SMALL_HOURS;
  }

  private static Tables.Region region(
      int from, int to, int index, int regions, Tables.Rows... files) {
    return new Tables.Region(
        index == 0 ? new byte[0] : metric(from),
        index == regions - 1 ? new byte[0] : metric(to),
        List.of(files));
  }

  @Override
  public void writeTo(StoreFileWriter writer) throws IOException {
    int next = 0;
    for (int metric = firstMetric; metric < firstMetric + metrics; metric++) {
      for (int hour = firstHour; hour < firstHour + hours; hour++) {
        for (int s = 0; s < series; s++) {
          byte[] key =
              KEY.encode(
                  metric(metric),
                  end(hour),
                  pair(1, 1 + s * DCS / series),
                  pair(2, host(metric, s)));
          append(writer, key, like.get(next++ % like.size()));
        }
      }
    }
  }

  private int host(int metric, int s) {
    int spread = (Names.TAGVS - DCS) / series;
    return 1 + DCS + s * spread + metric % spread;
  }

  private static byte[] metric(int number) {
    return Uids.bytes(number, SCHEMA.metricWidth());
  }

  private static byte[] pair(int tagk, int tagv) {
    return Bytes.add(Uids.bytes(tagk, SCHEMA.tagkWidth()), Uids.bytes(tagv, SCHEMA.tagvWidth()));
  }

  private static void append(StoreFileWriter writer, byte[] key, BenchRow row) throws IOException {
    for (int cell = 0; cell < row.cells(); cell++) {
      writer.append(
          new KeyValue(
              key, FAMILY, row.cloneQualifier(cell), row.timestamp(cell), row.cloneValue(cell)));
    }
  }
}
