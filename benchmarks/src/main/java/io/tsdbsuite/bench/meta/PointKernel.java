package io.tsdbsuite.bench.meta;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.write.MetaTable;
import io.tsdbsuite.meta.write.MetaTracker;
import io.tsdbsuite.meta.write.MonotonicClock;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import net.opentsdb.uid.UniqueId;
import org.jspecify.annotations.Nullable;

/** CPU of the calling thread for the steps of a point in a TSD with the plugin. */
public final class PointKernel {
  /** Series of the load test: all are in the CPU's caches. */
  static final int SERIES = 2000;

  /** Points of a series for each of its writes: one in 15 seconds, a write an hour. */
  private static final int INTERVAL = 15;

  private static final short TIMESTAMP_BYTES = 4;
  private static final int POINTS = 2_400_000;
  private static final int WARM_ROUNDS = 4;
  private static final int ROUNDS = 7;

  /** Keeps results alive. */
  @SuppressWarnings("unused")
  private static @Nullable Object sink;

  private PointKernel() {}

  /** Argument: a directory, which is not used. */
  public static void main(String[] args) {
    byte[][] keys = new byte[SERIES][];
    byte[][] tsuids = new byte[SERIES][];
    Shape shape = Shape.of(SERIES);
    for (int i = 0; i < SERIES; i++) {
      tsuids[i] = shape.tsuid(shape.shuffled(i));
      keys[i] = rowKey(tsuids[i]);
    }
    measure(
        "tsuid",
        POINTS,
        i ->
            sink =
                UniqueId.getTSUIDFromKey(
                    keys[i % SERIES], (short) Shape.UID_WIDTH, TIMESTAMP_BYTES));
    MonotonicClock clock = new MonotonicClock();
    int[] seconds = {0};
    measure("clock", POINTS, i -> seconds[0] += clock.now());
    for (String mode : List.of("track", "count")) {
      int[] points = {0};
      MetaTracker tracker = tracker(mode, points);
      measure(
          mode,
          POINTS,
          i -> {
            tracker.increment(tsuids[i % SERIES]);
            points[0]++;
          });
    }
    System.exit(0);
  }

  private static byte[] rowKey(byte[] tsuid) {
    byte[] key = new byte[tsuid.length + TIMESTAMP_BYTES];
    System.arraycopy(tsuid, 0, key, 0, Shape.UID_WIDTH);
    int tags = tsuid.length - Shape.UID_WIDTH;
    System.arraycopy(tsuid, Shape.UID_WIDTH, key, Shape.UID_WIDTH + TIMESTAMP_BYTES, tags);
    return key;
  }

  /** A tracker whose time passes with the points and whose table answers at once. */
  static MetaTracker tracker(String mode, int[] points) {
    MetaCacheConfig config =
        MetaCacheConfig.read(
            Map.of(
                "tsd.core.meta.enable_tsuid_tracking",
                "true",
                "tsd.meta.cache.mode",
                mode,
                "tsd.meta.cache.ttl_seconds",
                Integer.toString(MetaWay.TTL_SECONDS)),
            true);
    return new MetaTracker(
        config,
        Shape.UID_WIDTH,
        new AnsweringTable(),
        uid -> Deferred.fromResult("m"),
        () -> points[0] / SERIES * INTERVAL);
  }

  private static void measure(String name, int points, IntConsumer step) {
    List<Double> nanos = new ArrayList<>();
    for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int i = 0; i < points; i++) {
        step.accept(i);
      }
      long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      if (round >= 0) {
        nanos.add((after - before) / (double) points);
      }
    }
    System.out.println(KernelRun.line(name, Median.of(nanos)));
  }

  private static final class AnsweringTable implements MetaTable {
    private static final byte[] COUNTER = {0, 0, 0, 0, 0, 0, 0, 1};

    @Override
    public Deferred<Long> increment(byte[] tsuid, long points) {
      return Deferred.fromResult(points + 1);
    }

    @Override
    public Deferred<Boolean> refresh(byte[] tsuid, byte[] value) {
      return Deferred.fromResult(true);
    }

    @Override
    public Deferred<Boolean> create(byte[] tsuid) {
      return Deferred.fromResult(false);
    }

    @Override
    public Deferred<byte @Nullable []> counter(byte[] tsuid) {
      return Deferred.fromResult(COUNTER);
    }

    @Override
    public Deferred<Boolean> storeTsMeta(byte[] tsuid) {
      return Deferred.fromResult(true);
    }
  }
}
