package io.tsdbsuite.bulk.spill;

import java.nio.file.Path;

/** Names of files of runs. */
final class RunNames {
  private RunNames() {}

  /** {@code run-UNIT-SPILL}, {@code -to-UNIT-SPILL} if there are several spills in it. */
  static Path of(Path directory, RunOrder first, RunOrder last) {
    String name = "run-" + first.unit() + "-" + first.spill();
    if (!last.equals(first)) {
      name += "-to-" + last.unit() + "-" + last.spill();
    }
    return directory.resolve(name);
  }
}
