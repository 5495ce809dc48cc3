package io.tsdbsuite.meta.cache;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The {@link Probe}s of a cache, one per thread, and the sum of their counts. The counts of ended
 * threads are added to the sum when the next thread starts.
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
   * Returns the current thread's probe, loaded with this series; valid until the thread's next
   * call.
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

  /** Number of touches of all threads; exact for threads that no longer touch. */
  synchronized long touches() {
    long touches = touchesOfEnded;
    for (Probe probe : probes) {
      touches += probe.get();
    }
    return touches;
  }
}
