package io.tsdbsuite.bulk.stored;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Counts and samples of a comparison of points with the table. Thread-safe. */
public final class Findings {
  private static final int SAMPLES = 20;

  private final List<String> samples = new ArrayList<>();
  private long same;
  private long missing;
  private long different;

  /** Points that are stored with the same kind and number. */
  public synchronized void same(long points) {
    same += points;
  }

  /** A point that is not stored; {@code text} names it, slowly. */
  public synchronized void missing(Supplier<String> text) {
    missing++;
    sample("missing: ", text);
  }

  /** A point that is stored with another value. */
  public synchronized void different(Supplier<String> text) {
    different++;
    sample("different: ", text);
  }

  private void sample(String how, Supplier<String> text) {
    if (samples.size() < SAMPLES) {
      samples.add(how + text.get());
    }
  }

  /** Number of points that the table has with the same value. */
  public synchronized long same() {
    return same;
  }

  /** Number of points that the table does not have. */
  public synchronized long missing() {
    return missing;
  }

  /** Number of points that the table has with another value. */
  public synchronized long different() {
    return different;
  }

  /** Descriptions of the first 20 points that are missing or different. */
  public synchronized List<String> samples() {
    return List.copyOf(samples);
  }
}
