package io.tsdbsuite.bench.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The benchmark runs: a small size of the parts that need no minute of the clock. */
class StreamBenchIT {
  private static final Path STREAM = Path.of("..", "stream-rollup", "target");

  @Test
  void bothWaysAreMeasured() throws Exception {
    StringWriter out = new StringWriter();
    int code =
        StreamBench.run(
            new PrintWriter(out, true),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "no-document",
            STREAM.resolve("bench-classpath.txt").toString(),
            STREAM.resolve("classes").toAbsolutePath().toString(),
            "steps",
            "cpu",
            "--series=2000",
            "--rounds=2",
            "--heap=512m");
    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("| stream-rollup | ", "| Kafka Streams DSL | ", "| " + StepsKernel.STATE);
  }
}
