package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.journal.JournalEvent.Input;
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
  private static final Input A = new Input("a", 1, 0);
  private static final Input B = new Input("b", 2, 1000);

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

  @Test
  void sameInputIsSilence() {
    LoadInput.requireSame(List.of(A, B), List.of(new Input("a", 1, 0), B));
  }

  @Test
  void allDifferencesAreNamed() {
    assertThatThrownBy(
            () -> LoadInput.requireSame(List.of(A, B, A), List.of(A, new Input("b", 3, 1000))))
        .hasMessage(
            String.join(
                System.lineSeparator(),
                "the input must not change before a resume: file 2 was b of 2 bytes, changed last"
                    + " at 1970-01-01T00:00:01Z, found b of 3 bytes, changed last at"
                    + " 1970-01-01T00:00:01Z",
                "the input must not change before a resume: file 3 was a of 1 bytes, changed last"
                    + " at 1970-01-01T00:00:00Z, found not there"));
  }
}
