package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metrics of a job's report, as docs/operations/report-metrics.py sends them to a TSD. */
class ReportMetricsIT {
  private static final String SCRIPT = "../docs/operations/report-metrics.py";

  private final SmallData data = SmallData.get();

  @Test
  void aTsdStoresThem() throws Exception {
    JobRun run =
        new JobRun(TestFiles.directory("metrics"))
            .json()
            .with(data.input(SharedStack.get().hbase().rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--interval=1h,1d")
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    TsdServer tsd =
        SharedStack.get()
            .startTsd(
                "metrics",
                Map.of(
                    "tsd.storage.hbase.data_table", "metrics-data",
                    "tsd.storage.hbase.uid_table", "metrics-uid",
                    "tsd.storage.hbase.tree_table", "metrics-tree",
                    "tsd.storage.hbase.meta_table", "metrics-meta"));
    String url = "http://127.0.0.1:" + tsd.port();
    Sent sent = send(run.report(), "--tag", "job=nightly", "--put", url);
    assertThat(sent.exitCode()).as(sent.output()).isZero();
    JsonNode report = run.reportJson();
    long ended = Instant.parse(report.get("ended").textValue()).getEpochSecond();
    assertThat(stored(tsd, "rollups", ended)).isEqualTo(report.get("rollups").doubleValue());
    assertThat(stored(tsd, "rows.emitted", ended))
        .isEqualTo(report.at("/rows/emitted").doubleValue());
    assertThat(stored(tsd, "rows.failed.total", ended)).isZero();
    assertThat(stored(tsd, "booksClose", ended)).isEqualTo(1);
    assertThat(stored(tsd, "secondsByPhase.roll-up", ended))
        .isEqualTo(report.at("/secondsByPhase/roll up").doubleValue());
    tsd.stop();
    Sent unsent = send(run.report(), "--put", url);
    assertThat(unsent.exitCode()).isEqualTo(1);
    assertThat(unsent.output()).contains("the TSD " + url + " does not answer");
  }

  private static double stored(TsdServer tsd, String place, long time) {
    JsonNode answer =
        tsd.client()
            .get(
                "api/query?start="
                    + (time - 1)
                    + "&end="
                    + (time + 1)
                    + "&m=none:tsdbsuite.rollup-job."
                    + place
                    + "%7Bjob=nightly%7D");
    assertThat(answer).as(place).hasSize(1);
    return answer.at("/0/dps/" + time).doubleValue();
  }

  private record Sent(int exitCode, String output) {}

  private static Sent send(Path report, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", SCRIPT, report.toString()));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Sent(process.waitFor(), output);
  }
}
