package io.tsdbsuite.bulk.verify;

import io.tsdbsuite.bulk.stored.RowComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Results of a comparison. Safe to share between threads. */
public final class Findings implements RowComparison.Finding {
  private static final int SAMPLES = 20;

  private final List<String> samples = new ArrayList<>();
  private long same;
  private long missing;
  private long different;

  @Override
  public synchronized void same(long points) {
    same += points;
  }

  @Override
  public synchronized void missing(Supplier<String> text) {
    missing++;
    sample("missing: ", text);
  }

  @Override
  public synchronized void different(Supplier<String> text) {
    different++;
    sample("different: ", text);
  }

  private void sample(String how, Supplier<String> text) {
    if (samples.size() < SAMPLES) {
      samples.add(how + text.get());
    }
  }

  /** Points that the table has with the same value. */
  public synchronized long same() {
    return same;
  }

  /** Points that the table does not have. */
  public synchronized long missing() {
    return missing;
  }

  /** Points that the table has with another value. */
  public synchronized long different() {
    return different;
  }

  /** The first that are missing or different. */
  public synchronized List<String> samples() {
    return List.copyOf(samples);
  }
}
