package io.tsdbsuite.bench.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Trial;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The benchmark runs: a small size of one part. */
@Tag("slow")
class StreamSuiteIT {
  @Test
  void bothWaysAreMeasured() throws Exception {
    StreamSuite suite =
        new StreamSuite(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    Report report = new Report("make bench-stream");
    suite.run(Trial.of(suite, List.of("0.002", "cpu")), report);
    assertThat(report.section())
        .contains("| stream-rollup | ", "| Kafka Streams DSL | ", "| CPU per point |");
  }
}
