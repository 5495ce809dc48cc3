package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bench.measure.PairedRuns;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/** Costs of one cache in a JVM of its own: heap of a full one, or CPU of points. */
final class MetaKernel {
  /** Length of the repeated sequence of points. */
  private static final int POINTS = 1 << 22;

  /** Points between two looks at the clock. */
  private static final int BLOCK = 1024;

  private static final long SEED = 20_260_101;
  private static final int TOUCHED = 1 << 18;
  private static final int PASSES = 16;
  private static final int COLLECTIONS = 4;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private MetaKernel() {}

  /**
   * Arguments after the directory, which is not used: {@code heap KIND SERIES METRICS}, {@code cpu
   * KIND SERIES ZIPF THREADS WARM_UPS ROUNDS MILLIS}, {@code new KIND SERIES METRICS MAX_SIZE
   * WARM_UPS ROUNDS} or {@code touch SERIES}.
   */
  public static void main(String[] args) throws Exception {
    switch (args[1]) {
      case "heap" ->
          heap(
              MetaWay.Kind.valueOf(args[2]),
              new Shape(Integer.parseInt(args[3]), Integer.parseInt(args[4])));
      case "cpu" ->
          cpu(
              MetaWay.Kind.valueOf(args[2]),
              Shape.of(Integer.parseInt(args[3])),
              Boolean.parseBoolean(args[4]),
              Integer.parseInt(args[5]),
              Integer.parseInt(args[6]),
              Integer.parseInt(args[7]),
              Long.parseLong(args[8]));
      case "new" ->
          first(
              MetaWay.Kind.valueOf(args[2]),
              new Shape(Integer.parseInt(args[3]), Integer.parseInt(args[4])),
              Long.parseLong(args[5]),
              Integer.parseInt(args[6]),
              Integer.parseInt(args[7]));
      default -> touch(Shape.of(Integer.parseInt(args[2])));
    }
    System.exit(0);
  }

  /** Bytes per series, measured and by the cache's own estimate. */
  private static void heap(MetaWay.Kind kind, Shape shape) {
    // A first cache, so that the figure excludes classes and code loaded at the first use.
    filled(kind, new Shape(10_000, 10));
    used();
    long before = used();
    MetaWay way = filled(kind, shape);
    try {
      double series = way.series();
      System.out.println(KernelRun.line("measured", (used() - before) / series));
      System.out.println(KernelRun.line("estimated", way.memoryBytes() / series));
    } finally {
      Reference.reachabilityFence(way);
    }
  }

  /** A cache with room for a quarter more, so that it evicts no series. */
  private static MetaWay filled(MetaWay.Kind kind, Shape shape) {
    return kind.create(shape.series() + shape.series() / 4, Ticker.systemTicker()).fill(shape);
  }

  /** Heap after the last collection, which excludes the TLABs of threads; bytes. */
  private static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  /**
   * Cost of a point: CPU of the callers and of the process, ns; allocation of the callers, bytes.
   */
  private record Cost(double callers, double process, double allocated) {}

  private static void cpu(
      MetaWay.Kind kind,
      Shape shape,
      boolean zipf,
      int threads,
      int warmUps,
      int rounds,
      long millis)
      throws InterruptedException {
    byte[][] points = points(shape, zipf, POINTS, SEED);
    MetaWay cache = kind.create(2L * shape.series(), Ticker.systemTicker()).fill(shape);
    System.gc();
    List<Cost> costs = new ArrayList<>();
    for (int round = -warmUps; round < rounds; round++) {
      Cost cost = round(cache, points, threads, millis);
      if (round >= 0) {
        costs.add(cost);
      }
    }
    found("callers", costs, Cost::callers);
    found("process", costs, Cost::process);
    found("allocated", costs, Cost::allocated);
  }

  private static void found(String name, List<Cost> costs, ToDoubleFunction<Cost> value) {
    System.out.println(
        KernelRun.line(name, Median.of(costs.stream().map(value::applyAsDouble).toList())));
  }

  /**
   * TSUIDs in the order of their use, one array for each point: a TSD makes an array for a point,
   * which is then in the processor's cache.
   */
  private static byte[][] points(Shape shape, boolean zipf, int count, long seed) {
    int[] indexes = shape.points(zipf, count, seed);
    byte[][] points = new byte[count][];
    for (int i = 0; i < count; i++) {
      points[i] = shape.tsuid(indexes[i]);
    }
    return points;
  }

  private static Cost round(MetaWay cache, byte[][] points, int threads, long millis)
      throws InterruptedException {
    LongAdder done = new LongAdder();
    LongAdder cpu = new LongAdder();
    LongAdder allocated = new LongAdder();
    long process = SYSTEM.getProcessCpuTime();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    List<Thread> all = new ArrayList<>();
    for (int index = 0; index < threads; index++) {
      // Threads begin at distant positions.
      int from = POINTS / threads * index;
      Thread thread =
          new Thread(
              () -> {
                long cpuBefore = THREADS.getCurrentThreadCpuTime();
                long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
                int next = from;
                while (System.nanoTime() < end) {
                  next = block(cache, points, next);
                  done.add(BLOCK);
                }
                cpu.add(THREADS.getCurrentThreadCpuTime() - cpuBefore);
                allocated.add(THREADS.getCurrentThreadAllocatedBytes() - bytesBefore);
              });
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    double count = done.sum();
    return new Cost(
        cpu.sum() / count, (SYSTEM.getProcessCpuTime() - process) / count, allocated.sum() / count);
  }

  private static int block(MetaWay cache, byte[][] points, int from) {
    int next = from;
    for (int i = 0; i < BLOCK; i++) {
      cache.increment(points[next++ & (POINTS - 1)]);
    }
    return next;
  }

  /** CPU of the first point of each series, and of its write, which completes at once. */
  private static void first(
      MetaWay.Kind kind, Shape shape, long maxSeries, int warmUps, int rounds) {
    List<Double> nanos = new ArrayList<>();
    for (int round = -warmUps; round < rounds; round++) {
      System.gc();
      long before = THREADS.getCurrentThreadCpuTime();
      MetaWay way = kind.create(maxSeries, Ticker.systemTicker());
      way.firstPoints(shape);
      if (round >= 0) {
        nanos.add((THREADS.getCurrentThreadCpuTime() - before) / (double) shape.series());
      }
    }
    System.out.println(KernelRun.line("callers", Median.of(nanos)));
  }

  /** The suite's cache without counts, and that of the published plugin, in turns. */
  private static void touch(Shape shape) throws Exception {
    byte[][] points = points(shape, false, TOUCHED, 1);
    MetaWay published =
        MetaWay.Kind.PUBLISHED.create(2L * shape.series(), Ticker.systemTicker()).fill(shape);
    MetaWay suite =
        MetaWay.Kind.TRACK.create(2L * shape.series(), Ticker.systemTicker()).fill(shape);
    PairedRuns.ofProcess().print(() -> touch(published, points), () -> touch(suite, points));
  }

  private static double touch(MetaWay way, byte[][] points) {
    for (int pass = 0; pass < PASSES; pass++) {
      for (byte[] tsuid : points) {
        way.increment(tsuid);
      }
    }
    return way.series();
  }
}
