package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.bulk.write.HFileWriter;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.row.SyntheticRow;
import io.tsdbsuite.synthetic.row.SyntheticRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.FileStatus;

/** Measures writing the HFiles of the published test; all rows have the same points. */
final class HFileKernel {
  private static final byte[] EDGE = {};

  private final TableFacts table;
  private final CellTimestamps stamps;
  private final HFileDir dir;

  private HFileKernel(TableFacts table, CellTimestamps stamps, HFileDir dir) {
    this.table = table;
    this.stamps = stamps;
    this.dir = dir;
  }

  static void run(Path tsdConfig, String directory, long days, int threads) throws Exception {
    TsdConfig config = TsdConfig.load(tsdConfig);
    StorageSchema schema = StorageSchema.from(config);
    try (TsdHBase hbase =
        TsdHBase.open(HBaseAddress.from(config), Map.of(), TsdHBase.tables(schema, false))) {
      HFileKernel kernel =
          new HFileKernel(
              TableFacts.read(hbase.connection(), schema.dataTable()),
              CellTimestamps.of(null, schema, Clock.systemUTC()),
              BulkLoad.directory(hbase.configuration(), directory, "kernel"));
      try {
        kernel.measure(days * 24, threads);
      } finally {
        kernel.dir.waiting().forEach(kernel::delete);
        kernel.dir.remove();
      }
    }
  }

  private void measure(long hours, int threads) throws Exception {
    SyntheticRow like = like();
    long begin = System.nanoTime();
    long points =
        Threads.run(
            threads,
            share -> write(like, share, hours * share / threads, hours * (share + 1) / threads));
    double seconds = (System.nanoTime() - begin) / 1e9;
    long bytes = dir.waiting().stream().mapToLong(file -> file.getLen()).sum();
    long expected = hours * Shapes.SENSORS * RowKey.ROW_SPAN_SECONDS;
    if (points != expected || bytes < points) {
      throw new IllegalStateException(
          "HFiles must have " + expected + " points, found " + points + " in " + bytes + " bytes");
    }
    System.out.println(KernelRun.line("points", (double) points));
    System.out.println(KernelRun.line("seconds", seconds));
    System.out.println(KernelRun.line("bytes", (double) bytes));
  }

  private static SyntheticRow like() {
    SyntheticShape shape = Shapes.seconds("like", 1);
    return Objects.requireNonNull(
        new SyntheticRows(shape, Keys.ROW_KEY, Keys.templates(shape.series()))
            .open(EDGE, EDGE)
            .next());
  }

  private long write(SyntheticRow like, int share, long from, long to) throws Exception {
    long points = 0;
    long firstHour = Shapes.START.getEpochSecond() / RowKey.ROW_SPAN_SECONDS;
    byte[][] templates = Keys.templates(Shapes.SENSORS).toArray(new byte[0][]);
    try (HFileWriter writer =
        new HFileWriter(dir, "k" + share, table, Long.MAX_VALUE, Clock.systemUTC())) {
      for (long hour = from; hour < to; hour++) {
        long base = (firstHour + hour) * RowKey.ROW_SPAN_SECONDS;
        for (byte[] template : templates) {
          byte[] key = template.clone();
          Uids.write(base, key, Keys.ROW_KEY.timeOffset(), RowKey.TIME_WIDTH);
          EncodedRow row =
              new EncodedRow(key, like.qualifier(), like.value(), like.points(), base * 1000);
          writer.write(row, stamps.of(row, Keys.ROW_KEY));
          points += row.points();
        }
      }
      writer.checkpoint();
    }
    return points;
  }

  private void delete(FileStatus file) {
    try {
      Files.delete(Path.of(file.getPath().toUri().getPath()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
