package io.tsdbsuite.bulk.report;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Rejects counted, and the first of them. Thread-safe. */
final class RejectSamples {
  private static final int SHOWN = 200;

  private final int max;
  private final List<RejectSample> samples = new ArrayList<>();
  private final Tally counts = new Tally();

  RejectSamples(int max) {
    this.max = max;
  }

  /** Rejects that were counted before; their samples are added by {@link #add(RejectSample)}. */
  synchronized void counted(Tally tally) {
    for (RejectReason reason : RejectReason.values()) {
      if (tally.rejected(reason) > 0) {
        counts.reject(reason, tally.rejected(reason));
      }
    }
  }

  /** Counts a reject; {@code text} is the whole line. */
  synchronized void add(RejectReason reason, String input, long line, String detail, byte[] text) {
    counts.reject(reason, 1);
    if (!full()) {
      add(new RejectSample(reason, input, line, detail, shown(text)));
    }
  }

  synchronized void add(RejectSample sample) {
    samples.add(sample);
  }

  synchronized boolean full() {
    return samples.size() >= max;
  }

  synchronized List<RejectSample> samples() {
    return List.copyOf(samples);
  }

  synchronized Tally counts() {
    Tally copy = new Tally();
    copy.add(counts);
    return copy;
  }

  /** The shown part of a line, which need not be UTF-8. */
  static String shown(byte[] text) {
    String all = new String(text, StandardCharsets.UTF_8);
    return all.length() > SHOWN ? all.substring(0, SHOWN) + "..." : all;
  }
}
