package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.WriteableDataPointFilterPlugin;
import org.junit.jupiter.api.Test;

/** The threads of HBase's client serve the whole TSD: no rollup is computed there. */
class RepairThreadIT {
  private static final long DAY = 1763510400L;

  /** {@link LateFilter} refuses what is written in such a thread, and metrics of its own. */
  @Test
  void aDayIsNotMergedInAThreadOfHBasesClient() throws IOException {
    Map<String, String> conf =
        Map.of(
            "tsd.timeseriesfilter.enable",
            "true",
            "tsd.timeseriesfilter.plugin",
            LateFilter.class.getName(),
            "tsd.rollups.config",
            RepairStack.withHistograms(RepairStack.ROLLUP_CONFIG));
    String metric = "repair.thread.hist";
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
      Sketch sketch = new Sketch();
      sketch.add(1);
      assertThat(StoredRollups.cells("tsdb-preagg", metric))
          .singleElement()
          .satisfies(cell -> assertThat(cell.value()).endsWith(sketch.bytes()));
      sketch.add(2);
      assertThat(StoredRollups.cells("repair-hist-1d", metric))
          .singleElement()
          .satisfies(cell -> assertThat(cell.value()).endsWith(sketch.bytes()));
      String histogram =
          "\"v\":2,\"histogram\":{\"codec\":\"io.tsdbsuite.histogram.SketchCodec\",\"value\":\""
              + Base64.getEncoder().encodeToString(sketch.bytes())
              + "\"}";
      String refused = RepairStack.rollup("thread.refused", "1h", DAY, DAY * 1000, 1);
      stack.store("rollups", refused.replace("\"v\":1", histogram));
      assertThat(StoredRollups.cells("repair-1h", "thread.refused")).isEmpty();
      assertThat(StoredRollups.cells("tsdb-preagg", "thread.refused")).isEmpty();
      assertThat(stack.status("rollups").at("/messages/stored").asLong()).isOne();
    }
  }
}
