package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.testkit.Stack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Common resources of the parts.
 *
 * @param stack with an HBase
 * @param dir for files of this run, on HBase's disk
 * @param scale share of the full sizes
 */
record Bench(Stack stack, Loader loader, Path dir, TextInput text, Report report, double scale) {
  /** The scaled share of a full size, at least one unit. */
  long scaled(long full, long unit) {
    return Math.max(1, Math.round(full * scale / unit)) * unit;
  }

  Installation install(String name, List<byte[]> splits) throws IOException {
    return new Installation(stack, name, splits);
  }
}
