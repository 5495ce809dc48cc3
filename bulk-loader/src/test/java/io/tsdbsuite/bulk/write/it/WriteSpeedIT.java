package io.tsdbsuite.bulk.write.it;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.stored.BatchReconciler;
import io.tsdbsuite.bulk.stored.Reconciler;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.bulk.write.HFileWriter;
import io.tsdbsuite.bulk.write.PutWriter;
import io.tsdbsuite.bulk.write.RangeLoader;
import io.tsdbsuite.bulk.write.RowWriter;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.seed.Seed;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Measures writing alone: all rows share their encoded points. */
@EnabledIfSystemProperty(named = "bulk.measure", matches = "true")
class WriteSpeedIT {
  private static final StorageSchema SCHEMA = StorageSchema.defaults();
  private static final RowKey KEYS = new RowKey(SCHEMA);
  private static final int SERIES = 128;

  private Stack stack;
  private long cpu;

  /** Rows in key order: hours, and in each the series. */
  private static final class Repeated implements RowSource {
    private final byte[] qualifier;
    private final byte[] value;
    private final int points;
    private final int metric;
    private final int rows;
    private int made;

    Repeated(int points, int metric, int rows) {
      PointBuffer buffer = new PointBuffer();
      Random random = new Random(Seed.VALUE + points);
      for (int i = 0; i < points; i++) {
        int offset = i * (3600 / points) * 1000;
        if (random.nextBoolean()) {
          buffer.addInteger(offset, false, random.nextInt(1000));
        } else {
          buffer.addFloat(offset, false, random.nextFloat());
        }
      }
      CompactedCell cell = CompactedCell.encode(buffer);
      this.qualifier = cell.qualifier();
      this.value = cell.value();
      this.points = points;
      this.metric = metric;
      this.rows = rows;
    }

    @Override
    public EncodedRow next() {
      if (made == rows) {
        return null;
      }
      long base = Installation.BASE + (long) (made / SERIES) * Installation.HOUR;
      byte[] key = new byte[13];
      Uids.write(metric, key, 0, 3);
      Uids.write(base, key, 3, 4);
      Uids.write(1, key, 7, 3);
      Uids.write(made % SERIES + 1, key, 10, 3);
      made++;
      return new EncodedRow(key, qualifier, value, points, base * 1000);
    }

    @Override
    public Tally drain() {
      return new Tally();
    }

    @Override
    public void close() {}
  }

  private void say(String what, int points, long rows, long nanos) {
    System.out.println(
        String.format(
            Locale.ROOT,
            "MEASURED %-40s %4d points/row %8d rows %6.2f s %9.0f rows/s %7.2f M points/s,"
                + " cpu of this thread %.2f s, load %.1f",
            what,
            points,
            rows,
            nanos / 1e9,
            rows * 1e9 / nanos,
            rows * (double) points * 1e3 / nanos,
            cpu / 1e9,
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    cpu = 0;
  }

  @Test
  void measure() throws Exception {
    try (Stack started =
        Stack.in(WorkDirs.fresh("bulk-speed"))
            .hbase(
                Map.of(
                    "hbase.hregion.memstore.flush.size",
                    String.valueOf(128 << 20),
                    "fs.file.impl",
                    "io.tsdbsuite.testkit.server.MovingLocalFileSystem"))
            .optimized()
            .start()) {
      stack = started;
      for (int points : new int[] {60, 3600}) {
        int rows = points == 60 ? 600_000 : 40_000;
        if (Boolean.parseBoolean(System.getProperty("bulk.measure.puts", "true"))) {
          puts(points, rows / 3, 1);
          puts(points, rows, 1);
          puts(points, rows, 2);
        }
        hfiles(points, rows * 2, DataBlockEncoding.NONE, Compression.Algorithm.NONE);
        hfiles(points, rows * 2, DataBlockEncoding.NONE, Compression.Algorithm.NONE);
        hfiles(points, rows * 2, DataBlockEncoding.DIFF, Compression.Algorithm.NONE);
        hfiles(points, rows * 2, DataBlockEncoding.FAST_DIFF, Compression.Algorithm.SNAPPY);
      }
    }
  }

  private int tables;

  private TableFacts table(DataBlockEncoding encoding, Compression.Algorithm compression)
      throws Exception {
    String name = "speed" + tables++;
    stack.create(OpenTsdbTables.defaults().data(name).encoding(encoding).compression(compression));
    return TableFacts.read(stack.hbase().connection(), name);
  }

  private void puts(int points, int rows, int threads) throws Exception {
    TableFacts facts = table(DataBlockEncoding.DIFF, Compression.Algorithm.NONE);
    put(facts, points, rows, threads, false, 1, "put, no check, threads " + threads);
    put(facts, points, rows, threads, true, 100, "put, nothing stored, threads " + threads);
    put(facts, points, rows, threads, true, 100, "put, all stored, threads " + threads);
    put(facts, points, rows, threads, false, 200, "put, no check again, threads " + threads);
    stack.hbase().connection().getAdmin().disableTable(facts.name());
    stack.hbase().connection().getAdmin().deleteTable(facts.name());
  }

  private void put(
      TableFacts facts, int points, int rows, int threads, boolean check, int metric, String what)
      throws Exception {
    HBaseServer hbase = stack.hbase();
    Connection connection = hbase.connection();
    ExecutorService pool = Executors.newFixedThreadPool(8);
    CellTimestamps stamps = CellTimestamps.of(null, SCHEMA, Clock.systemUTC());
    List<Callable<Void>> loads = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int own = metric + i;
      loads.add(
          () -> {
            try (RowWriter writer =
                    new PutWriter(
                        connection,
                        facts.name(),
                        WalMode.ASYNC,
                        PutWriter.DEFAULT_BUFFER_BYTES,
                        pool,
                        null,
                        new RowName(KEYS));
                BatchReconciler existing =
                    new BatchReconciler(
                        connection.getTable(facts.name()),
                        new RowName(KEYS),
                        new Reconciler(
                            SCHEMA, new RowName(KEYS), OnConflict.LAST, stamps, true, false),
                        false,
                        WalMode.ASYNC.durability())) {
              new RangeLoader(
                      writer,
                      check ? existing : null,
                      stamps,
                      KEYS,
                      RangeLoader.DEFAULT_CHECKPOINT_BYTES)
                  .load(new Repeated(points, own, rows / threads), (key, since) -> {});
            }
            return null;
          });
    }
    ExecutorService loaders = Executors.newFixedThreadPool(threads);
    long begin = System.nanoTime();
    for (Future<Void> future : loaders.invokeAll(loads)) {
      future.get();
    }
    say(what, points, rows, System.nanoTime() - begin);
    loaders.shutdownNow();
    pool.shutdownNow();
  }

  private void hfiles(
      int points, int rows, DataBlockEncoding encoding, Compression.Algorithm compression)
      throws Exception {
    TableFacts facts = table(encoding, compression);
    facts.problems(CellTimestamps.of(null, SCHEMA, Clock.systemUTC()), 0, 0, true);
    Configuration conf = stack.hbase().clientConfiguration();
    HFileDir dir = BulkLoad.directory(conf, stack.hbase().rootDir() + "/load", facts.name() + "x");
    long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    try (HFileWriter writer =
        new HFileWriter(dir, "r0", facts, Long.MAX_VALUE, Clock.systemUTC())) {
      new RangeLoader(
              writer,
              null,
              CellTimestamps.of(null, SCHEMA, Clock.systemUTC()),
              KEYS,
              RangeLoader.NO_CHECKPOINTS)
          .load(new Repeated(points, 1, rows), (key, since) -> {});
    }
    cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;
    say("hfile " + encoding + " " + compression, points, rows, System.nanoTime() - begin);
    begin = System.nanoTime();
    HFileLoader.Loaded loaded = new BulkLoad(conf, facts.name()).load(dir);
    say("bulk load of " + (loaded.bytes() >> 20) + " MB", points, rows, System.nanoTime() - begin);
    dir.remove();
    stack.hbase().connection().getAdmin().disableTable(facts.name());
    stack.hbase().connection().getAdmin().deleteTable(facts.name());
  }
}
