package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.WriteableDataPointFilterPlugin;
import org.junit.jupiter.api.Test;

/** The threads of HBase's client serve the whole TSD: no rollup is computed there. */
class RepairThreadIT {
  private static final long DAY = 1763510400L;

  /** {@link LateFilter} refuses what is written in such a thread. */
  @Test
  void aDayIsNotMergedInAThreadOfHBasesClient() throws IOException {
    Map<String, String> conf =
        Map.of(
            "tsd.timeseriesfilter.enable",
            "true",
            "tsd.timeseriesfilter.plugin",
            LateFilter.class.getName());
    String metric = "repair.thread";
    try (RepairStack stack =
        new RepairStack(
            "repair-thread",
            conf,
            List.of(
                IngestStack.jar(),
                IngestStack.plugin(
                    WriteableDataPointFilterPlugin.class,
                    LateFilter.class,
                    LateFilter.class,
                    LateFilter.Answer.class)))) {
      stack.store("points", RepairStack.point(metric, DAY + 1, 1));
      stack.store("points", RepairStack.point(metric, DAY + 7201, 2));
      stack.store("requests", RepairStack.request(metric, DAY, "1h", "1d"));
      assertThat(StoredRollups.of("repair-1h", 3600, metric))
          .isEqualTo(Map.of(DAY, new Rollup(1, 1, 1, 1)));
      assertThat(StoredRollups.of("repair-1d", 86_400, metric))
          .isEqualTo(Map.of(DAY, new Rollup(3, 1, 2, 2)));
    }
  }
}
