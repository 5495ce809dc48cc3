package io.tsdbsuite.bench.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bench.measure.Child;
import java.util.Locale;

/**
 * A successful run of bin/bulk-loader.
 *
 * @param process time, CPU and memory of the process, start of the JVM included
 * @param report the loader's report as JSON
 * @param hbaseCpuSeconds CPU of HBase during the run, seconds
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

  /** Duration of a phase, seconds; 0 if the run had no such phase. */
  double phase(String name) {
    return report.path("secondsByPhase").path(name).asDouble();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.3f M points/s", perSecond() / 1e6);
  }
}
