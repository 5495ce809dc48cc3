package io.tsdbsuite.bench.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bench.measure.Child;

/**
 * A run of bin/bulk-loader that went well.
 *
 * @param process what it took, the start of its JVM included
 * @param report its report as JSON
 * @param hbaseCpuSeconds CPU of HBase meanwhile
 */
record LoaderRun(Child process, JsonNode report, double hbaseCpuSeconds) {
  double perSecond() {
    return points() / process.seconds();
  }

  long points() {
    return count("pointsWritten");
  }

  long count(String key) {
    return report.path("counts").path(key).asLong();
  }

  /** Seconds of a phase, 0 if there was none. */
  double phase(String name) {
    return report.path("secondsByPhase").path(name).asDouble();
  }
}
