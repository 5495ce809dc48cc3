package io.tsdbsuite.rollup.prune;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Files and directories below the root that an export does not write; they are never deleted. */
final class Unknown {
  private static final int SAMPLES = 20;

  private final SortedSet<String> samples = new TreeSet<>();
  private long count;

  /**
   * Adds a file or directory.
   *
   * @param path below the root
   */
  synchronized void add(String path) {
    count++;
    samples.add(path);
    if (samples.size() > SAMPLES) {
      samples.remove(samples.last());
    }
  }

  /** The number of all. */
  synchronized long count() {
    return count;
  }

  /** The first of them in alphabetical order. */
  synchronized List<String> samples() {
    return List.copyOf(samples);
  }
}
