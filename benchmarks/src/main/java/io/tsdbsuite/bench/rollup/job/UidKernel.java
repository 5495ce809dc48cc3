package io.tsdbsuite.bench.rollup.job;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidDictionary;
import io.tsdbsuite.rollup.uid.UidRun;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.collection.JavaConverters;

/** Measures the UID dictionary: loading, size, serialization, lookups. */
public final class UidKernel {
  private static final int LOOKUPS = 1 << 21;

  /** Number of distinct names, which the builder receives repeatedly with new UIDs. */
  private static final int DIFFERENT_NAMES = 1 << 16;

  /** Average distance of sparse UIDs. */
  private static final int SPREAD = 1 << 12;

  private final Settings settings;
  private final int uids;
  private final ByteSlice name = new ByteSlice();

  /** Sum over all looked-up names, so that the compiler cannot remove a lookup. */
  private long bytes;

  private UidKernel(Settings settings) {
    this.settings = settings;
    this.uids = settings.number("tagvs");
  }

  /** Arguments: a directory and settings (location of the snapshot, its number of tag values). */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    new UidKernel(Settings.parse(List.of(args).subList(1, args.length))).run();
    System.exit(0);
  }

  private void run() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    List<Double> cpu = new ArrayList<>();
    List<Double> wall = new ArrayList<>();
    UidDictionary loaded = null;
    for (int round = -1; round < settings.number("rounds"); round++) {
      loaded = null;
      System.gc();
      Usage before = usage();
      loaded = UidRun.read(conf, settings.get("root"), settings.get("uids"), schema());
      Usage used = usage().since(before);
      if (round >= 0) {
        cpu.add(used.cpu());
        wall.add(used.wall());
      }
    }
    Objects.requireNonNull(loaded, "rounds must be 0 or more");
    broadcast(loaded);
    print("loaded", (double) (loaded.size(UidKind.TAGV) + loaded.size(UidKind.METRIC)));
    print("load.cpu", Median.of(cpu));
    print("load.wall", Median.of(wall));
    long with = heap();
    size(loaded);
    loaded = null;
    print("heap", (double) (with - heap()));
    print("tagvs", (double) uids);
    measure("dense", dense());
    measure("sparse", sparse());
  }

  private StorageSchema schema() {
    String width = settings.get("width");
    StringBuilder config = new StringBuilder();
    for (String kind : List.of("metric", "tagk", "tagv")) {
      config.append("tsd.storage.uid.width.").append(kind).append('=').append(width).append('\n');
    }
    return StorageSchema.from(TsdConfig.parse(config.toString()));
  }

  private static Usage usage() {
    long self = ProcessHandle.current().pid();
    return Usage.now(self, self);
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Does what the driver does for its executors; one in this JVM takes the driver's copy. */
  private void broadcast(UidDictionary names) {
    try (JavaSparkContext spark = new JavaSparkContext(settings.spark("uids"))) {
      Usage before = usage();
      long free = free(spark);
      Broadcast<UidDictionary> sent = spark.broadcast(names);
      Usage used = usage().since(before);
      print("broadcast.cpu", used.cpu());
      print("broadcast.wall", used.wall());
      print("broadcast.bytes", (double) (free - free(spark)));
      sent.destroy();
    }
  }

  /** Free bytes of Spark's memory for blocks. */
  private static long free(JavaSparkContext spark) {
    return JavaConverters.mapAsJavaMap(spark.sc().getExecutorMemoryStatus()).values().stream()
        .mapToLong(memory -> (Long) memory._2())
        .sum();
  }

  private void size(UidDictionary names) throws IOException {
    CountingStream out = new CountingStream();
    double before = threadSeconds();
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(names);
    }
    print("serial.cpu", threadSeconds() - before);
    print("serial.bytes", (double) out.bytes);
  }

  private long[] dense() {
    long[] all = new long[uids];
    for (int i = 0; i < uids; i++) {
      all[i] = i + 1L;
    }
    return all;
  }

  private long[] sparse() {
    Random random = new Random(uids);
    long[] all = new long[uids];
    long uid = 0;
    for (int i = 0; i < uids; i++) {
      uid += 1 + random.nextInt(2 * SPREAD - 1);
      all[i] = uid;
    }
    return all;
  }

  private void measure(String kind, long[] all) {
    UidDictionary names = null;
    for (int round = 0; round < 2; round++) {
      names = null;
      double before = threadSeconds();
      names = build(all);
      // The first run warms up the compiler.
      if (round > 0) {
        print(kind + ".build.cpu", threadSeconds() - before);
      }
    }
    Objects.requireNonNull(names);
    print(kind + ".bytes", (double) names.bytes());
    Random random = new Random(all.length);
    int[] order = new int[LOOKUPS];
    for (int i = 0; i < LOOKUPS; i++) {
      order[i] = random.nextInt(all.length);
    }
    print(kind + ".random.ns", lookups(names, all, order));
    // Rows of an hour: the tags of one series after the other.
    int stride = Math.max(1, all.length / 1000);
    for (int i = 0; i < LOOKUPS; i++) {
      order[i] = (int) ((long) i % 1000 * stride + i / 1000 % stride) % all.length;
    }
    print(kind + ".rows.ns", lookups(names, all, order));
    print("checked", (double) bytes);
  }

  private static UidDictionary build(long[] all) {
    byte[][] texts = new byte[DIFFERENT_NAMES][];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = Names.of(UidKind.TAGV, i);
    }
    byte[] uid = new byte[Long.BYTES];
    UidDictionary.Builder builder = new UidDictionary.Builder(3, 3, uid.length);
    for (int i = 0; i < all.length; i++) {
      byte[] text = texts[i & (DIFFERENT_NAMES - 1)];
      Uids.write(all[i], uid, 0, uid.length);
      builder.add(UidKind.TAGV, uid, 0, uid.length, text, 0, text.length);
    }
    return builder.build();
  }

  private double lookups(UidDictionary names, long[] all, int[] order) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      double before = threadSeconds();
      for (int index : order) {
        if (!names.lookup(UidKind.TAGV, all[index], name)) {
          throw new IllegalStateException("UID " + all[index] + " must have a name");
        }
        bytes += name.array[name.offset + 1] + name.length;
      }
      best = Math.min(best, (threadSeconds() - before) * 1e9 / order.length);
    }
    return best;
  }

  private static double threadSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  private static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }

  /** Counts written bytes. */
  private static final class CountingStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] array, int off, int len) {
      bytes += len;
    }
  }
}
