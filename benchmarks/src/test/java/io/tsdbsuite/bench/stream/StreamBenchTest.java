package io.tsdbsuite.bench.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamBenchTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("no-document", "no-path", "no-classes"));
    arguments.addAll(List.of(options));
    return StreamBench.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        "no-class-path",
        arguments.toArray(String[]::new));
  }

  @Test
  void helpNamesAllParts() throws Exception {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains(StreamBenchCommand.PARTS).contains("--kill-after");
  }

  @Test
  void allProblemsAreFoundAtOnce() throws Exception {
    assertThat(run("cpu", "disk", "--serie=1", "--period=0", "--heap=4", "--way=both"))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "disk", "--serie", "--period must be 1 to 600, found 0", "--heap must", "--way must");
  }
}
