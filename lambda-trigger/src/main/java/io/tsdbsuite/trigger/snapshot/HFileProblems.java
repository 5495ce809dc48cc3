package io.tsdbsuite.trigger.snapshot;

import java.util.ArrayList;
import java.util.List;

/** The HFiles that are missing or have another size: their number, and a text for the first. */
final class HFileProblems {
  private static final int SHOWN = 3;

  private final List<String> first = new ArrayList<>();
  private int count;

  void add(String problem) {
    count++;
    if (first.size() < SHOWN) {
      first.add(problem);
    }
  }

  /** Adds the problems of later files. */
  void addAll(HFileProblems later) {
    count += later.count;
    first.addAll(later.first.subList(0, Math.min(later.first.size(), SHOWN - first.size())));
  }

  /** The number of problems. */
  int count() {
    return count;
  }

  /** The first problems, in the files' order. */
  String text() {
    return String.join("; ", first) + (count > SHOWN ? "; ..." : "");
  }
}
