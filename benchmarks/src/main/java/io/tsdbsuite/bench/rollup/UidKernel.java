package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.rollup.uid.UidDictionary;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.collection.JavaConverters;

/** Measures the UID dictionary: loading, size, and what Spark sends to an executor. */
public final class UidKernel {
  /** Average distance of sparse UIDs. */
  private static final int SPREAD = 1 << 12;

  /** Number of distinct names, which the builder receives repeatedly with new UIDs. */
  private static final int DIFFERENT_NAMES = 1 << 16;

  private final Settings settings;

  private UidKernel(Settings settings) {
    this.settings = settings;
  }

  /** Arguments: a directory and settings (location of the snapshot, its number of tag values). */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    new UidKernel(Settings.parse(args)).run();
    System.exit(0);
  }

  private void run() throws Exception {
    UidDictionary[] loaded = new UidDictionary[1];
    Way.Work<Cost> load =
        () -> {
          loaded[0] = null;
          System.gc();
          Cost before = Cost.now();
          loaded[0] = load();
          return Cost.now().since(before, 1);
        };
    Samples<Cost> loads =
        Samples.of(1, settings.number("rounds"), List.of(new Way<>("load", load))).get(0);
    Cost.print("load.cpu", loads.median(Cost::processNanos) / 1e9);
    Cost.print("load.wall", loads.median(Cost::wallNanos) / 1e9);
    Cost.print("loaded", (double) loaded[0].size(UidKind.TAGV) + loaded[0].size(UidKind.METRIC));
    broadcast(loaded[0]);
    long with = heap();
    loaded[0] = null;
    Cost.print("heap", (double) with - heap());
    Cost.print("sparse.bytes", (double) sparse().bytes());
  }

  private UidDictionary load() {
    Configuration conf = HBaseConfiguration.create();
    StorageSchema schema =
        StorageSchema.from(
            TsdConfig.parse("")
                .with("tsd.storage.uid.width.metric", settings.get("width"))
                .with("tsd.storage.uid.width.tagk", settings.get("width"))
                .with("tsd.storage.uid.width.tagv", settings.get("width")));
    UidSnapshot uids =
        UidSnapshot.load(new SnapshotLoader(conf, settings.get("root")), Tables.UIDS);
    return (UidDictionary)
        new UidSetup(UidSettings.ofSnapshot(Tables.UIDS), schema, conf)
            .load(Optional.of(uids), uids.names(), new ArrayList<>());
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Does what the driver does for its executors; one in this JVM takes the driver's copy. */
  private static void broadcast(UidDictionary names) {
    try (JavaSparkContext spark = new JavaSparkContext(Settings.conf())) {
      long free = free(spark);
      Cost before = Cost.now();
      Broadcast<UidDictionary> sent = spark.broadcast(names);
      Cost.print("broadcast.wall", Cost.now().since(before, 1).wallNanos() / 1e9);
      Cost.print("broadcast.bytes", (double) free - free(spark));
      sent.destroy();
    }
  }

  /** Free bytes of Spark's memory for blocks. */
  private static long free(JavaSparkContext spark) {
    return JavaConverters.mapAsJavaMap(spark.sc().getExecutorMemoryStatus()).values().stream()
        .mapToLong(memory -> (Long) memory._2())
        .sum();
  }

  private UidDictionary sparse() {
    byte[][] names = new byte[DIFFERENT_NAMES][];
    for (int i = 0; i < names.length; i++) {
      names[i] = Names.of(UidKind.TAGV, i);
    }
    Random random = new Random(1);
    UidDictionary.Builder builder = new UidDictionary.Builder(3, 3, Long.BYTES);
    byte[] uid = new byte[Long.BYTES];
    long number = 0;
    for (int i = 0; i < settings.number("tagvs"); i++) {
      number += 1 + random.nextInt(2 * SPREAD - 1);
      Uids.write(number, uid, 0, uid.length);
      byte[] name = names[i % DIFFERENT_NAMES];
      builder.add(UidKind.TAGV, uid, 0, uid.length, name, 0, name.length);
    }
    return builder.build();
  }
}
