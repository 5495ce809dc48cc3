package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.ref.Reference;

/** Fills one cache and prints its heap per series. Runs in a separate JVM. */
final class HeapCase {
  private static final int COLLECTIONS = 4;

  /** A first cache, so that the figure excludes classes and code loaded at the first use. */
  private static final Shape FIRST_USE = new Shape(10_000, 10);

  private HeapCase() {}

  /** Arguments: implementation, series, metrics. Prints bytes per series and the estimate. */
  public static void main(String[] args) {
    WayKind kind = WayKind.valueOf(args[0]);
    Shape shape = new Shape(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    filled(kind, FIRST_USE);
    used();
    long before = used();
    Way way = filled(kind, shape);
    try {
      double measured = used() - before;
      System.out.println(measured / way.series() + " " + (double) way.memoryBytes() / way.series());
    } finally {
      Reference.reachabilityFence(way);
    }
  }

  /** Fills a cache below its maximum, so that it evicts no series. */
  private static Way filled(WayKind kind, Shape shape) {
    Way way = kind.create(shape.series() + shape.series() / 4, Ticker.systemTicker());
    byte[] tsuid = new byte[Shape.LENGTH];
    for (int i = 0; i < shape.series(); i++) {
      shape.write(shape.shuffled(i), tsuid);
      way.increment(tsuid);
    }
    if (way.series() != shape.series()) {
      throw new IllegalStateException(
          kind + " must hold " + shape.series() + " series, found " + way.series());
    }
    return way;
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
}
