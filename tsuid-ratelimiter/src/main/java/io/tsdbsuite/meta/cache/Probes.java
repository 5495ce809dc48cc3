package io.tsdbsuite.meta.cache;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The {@link Probe}s of a cache, one per thread, and how many points they counted. Threads that
 * ended leave their count here when the next one starts.
 */
final class Probes {
  private final int metricWidth;
  private final ThreadLocal<Probe> ofThread = ThreadLocal.withInitial(this::start);
  private final List<Probe> probes = new ArrayList<>();
  private long touchesOfEnded;

  Probes(int metricWidth) {
    this.metricWidth = metricWidth;
  }

  /**
   * The thread's own, for this series; good until the thread asks for the next.
   *
   * @throws IllegalArgumentException when the TSUID has no tags, or is too long for a row key
   */
  Probe of(byte[] tsuid) {
    Probe probe = ofThread.get();
    probe.load(tsuid, metricWidth);
    return probe;
  }

  private synchronized Probe start() {
    for (Iterator<Probe> each = probes.iterator(); each.hasNext(); ) {
      Probe probe = each.next();
      if (probe.isOfEnded()) {
        touchesOfEnded += probe.get();
        each.remove();
      }
    }
    Probe probe = new Probe(Thread.currentThread());
    probes.add(probe);
    return probe;
  }

  /** Touches of all threads; exact for threads that have stopped touching. */
  synchronized long touches() {
    long touches = touchesOfEnded;
    for (Probe probe : probes) {
      touches += probe.get();
    }
    return touches;
  }
}
