package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadInputTest {
  @TempDir private Path dir;

  private LoadInput find(String name, String limit) throws IOException {
    Path file = Files.writeString(dir.resolve(name), "# no point\n");
    List<String> problems = new ArrayList<>();
    RejectLimits limits = RejectLimits.of(List.of("0", limit), problems::add);
    assertThat(problems).isEmpty();
    return LoadInput.find(
        InputSettings.of(List.of(file.toString()), "auto").with(limits),
        1,
        new Configuration(),
        InputStream.nullInputStream());
  }

  @ParameterizedTest
  @CsvSource({
    "a.lp, malformedLine=0.1%, influx",
    "a.lp, badTimestamp=1%, influx",
    "a.vm, malformedLine=1%, victoriametrics",
  })
  void aLineOfManyPointsIsNoPercentageOfPoints(String name, String limit, String format) {
    assertThatThrownBy(() -> find(name, limit))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageStartingWith(
            "--max-rejected must limit " + limit.replaceAll("=.*", "") + " by a number with")
        .hasMessageContaining(" format " + format + ",")
        .hasMessageContaining(limit);
  }

  @ParameterizedTest
  @CsvSource({
    "a.lp, malformedLine=10",
    "a.lp, badValue=1%",
    "a.vm, badTimestamp=1%",
    "a.prom, malformedLine=1%",
    "a.tsdb, badTimestamp=1%",
  })
  void otherLimitsAreGood(String name, String limit) throws IOException {
    assertThat(find(name, limit).files()).hasSize(1);
  }

  @Test
  void filesLeftOutForTheirNamesAreInTheWarning() throws IOException {
    Files.writeString(dir.resolve("_old.lp"), "x");
    Files.writeString(dir.resolve("a.lp"), "# no point\n");
    LoadInput input =
        LoadInput.find(
            InputSettings.of(List.of(dir.toString()), "auto"),
            1,
            new Configuration(),
            InputStream.nullInputStream());
    assertThat(input.warning()).startsWith("1 files were left out").endsWith("/_old.lp");
  }
}
