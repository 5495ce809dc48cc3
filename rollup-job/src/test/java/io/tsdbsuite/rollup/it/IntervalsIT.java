package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several intervals from one reading of the data, over regions one of whose borders cuts a day at
 * noon. What a TSD makes of them is held in {@link CorrectnessIT}.
 */
class IntervalsIT {
  private static final int SERIES = SmallData.ROWS_PER_HOUR;

  private final SmallData data = SmallData.get();
  private final String root = SharedStack.get().hbase().rootDir();

  private JobRun run(long from, long to, String... more) {
    JobRun run =
        new JobRun(TestFiles.directory("intervals"))
            .json()
            .with(data.input(root))
            .with(SmallData.window(from, to))
            .with(more)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return run;
  }

  @ParameterizedTest
  @CsvSource({"auto, 256", "auto, 0.001", "auto, 0.02", "merge, 256", "merge, 0.001"})
  void aDayThatARegionCutsIsOneDay(String reader, String size) throws Exception {
    JobRun run =
        new JobRun(TestFiles.directory("cut"))
            .json()
            .reader(reader)
            .with(data.input(root))
            .with(SmallData.window(SmallData.START, SmallData.END))
            .with("--interval=1m,10m", "--interval=1h,1d", "--partition-size=" + size)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(data.days(SmallData.START, SmallData.END), run.rollups("1d")))
        .isEmpty();
    assertThat(RollupDiff.of(data.answers(SmallData.START, SmallData.END), run.rollups("1h")))
        .isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/days/emitted").intValue()).isEqualTo(3 * SERIES);
    // Three points an hour: a minute and 440 seconds apart.
    assertThat(report.at("/rollupsByInterval/1m").intValue()).isEqualTo(3 * 3 * 24 * SERIES);
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(3 * 24 * SERIES);
  }

  /** With one task for each day of a metric at most, whatever the size. */
  @Test
  void partitionsDoNotCutDays() throws Exception {
    JobRun hours = run(SmallData.START, SmallData.END, "--partition-size=0.001");
    JobRun days = run(SmallData.START, SmallData.END, "--interval=1h,1d", "--partition-size=0.001");
    assertThat(hours.reportJson().at("/plan/partitions").intValue()).isGreaterThan(50);
    assertThat(days.reportJson().at("/plan/partitions").intValue()).isBetween(10, 13);
  }

  @Test
  void daysAlone() throws Exception {
    JobRun run = run(SmallData.FROM, SmallData.TO, "--interval=1d");
    assertThat(RollupDiff.of(data.days(SmallData.FROM, SmallData.TO), run.rollups())).isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(24 * SERIES);
    assertThat(run.out()).containsPattern("days of series +read +" + SERIES);
  }

  @Test
  void severalIntervalsAreOneReading() throws Exception {
    // No border of a region cuts the first day.
    JsonNode one = run(SmallData.START, SmallData.FROM).reportJson();
    JsonNode four = run(SmallData.START, SmallData.FROM, "--interval=1m,10m,1h,1d").reportJson();
    assertThat(four.get("storage")).isEqualTo(one.get("storage"));
    assertThat(four.get("rows")).isEqualTo(one.get("rows"));
    assertThat(four.get("points")).isEqualTo(one.get("points"));
    assertThat(four.get("rollupsByInterval")).hasSize(4);
    assertThat(four.at("/rollupsByInterval/1h")).isEqualTo(one.get("rollups"));
  }

  @Test
  void messagesOfAllIntervalsGoToKafka() throws Exception {
    RollupTopic topic = RollupTopic.create("intervals");
    JobRun run =
        new JobRun(TestFiles.directory("intervals"))
            .with(data.input(root))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with(topic.options())
            .with("--interval=1h,1d", "--format=aggregate")
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.reportJson().at("/messages/acknowledged").intValue())
        .isEqualTo(4 * 25 * SERIES)
        .isEqualTo(topic.records().size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void severalRollupsInAMessage(boolean arrays) throws Exception {
    RollupTopic topic = RollupTopic.create("several-" + arrays);
    Path directory = TestFiles.directory("several");
    Path config =
        Files.writeString(
            directory.resolve("rollup_config.json"),
            Files.readString(data.rollupConfig())
                .replaceFirst("\\{", arrays ? "{\"suite\":{\"rollupMessage\":3}," : "{"));
    JobRun run =
        new JobRun(directory)
            .with(
                Arrays.stream(data.input(root))
                    .map(each -> each.replaceFirst("(--rollup-config=).*", "$1" + config))
                    .toArray(String[]::new))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with(topic.options())
            .with("--rollups-per-message=24")
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    RollupMessages messages = topic.messages();
    assertThat(RollupDiff.of(data.answers(SmallData.FROM, SmallData.TO), messages.rollups()))
        .isEmpty();
    assertThat(messages.repeated()).isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.at("/rollups").intValue()).isEqualTo(24 * SERIES);
    assertThat(report.at("/messages/sent").longValue())
        .isEqualTo(report.at("/messages/acknowledged").longValue())
        .isEqualTo(messages.messages())
        // A border of a region may cut the hours of some series.
        .isBetween((long) SERIES, 2L * SERIES);
    assertThat(report.at("/messages/rollupsPerMessage").intValue()).isEqualTo(24);
    assertThat(report.at("/resume/options/suite").isMissingNode()).isTrue();
    String type = arrays ? "{\"type\":\"Rollup\",\"v\":3," : "[{\"type\":\"Rollup\",\"v\":1,";
    assertThat(topic.records())
        .anyMatch(each -> new String(each.value(), StandardCharsets.UTF_8).startsWith(type));
  }

  @Test
  void dryRunsEstimateAllIntervals() {
    long hours = estimate("1h");
    assertThat(hours).isPositive();
    assertThat(estimate("10m,1h,1d")).isBetween(7 * hours, 8 * hours);
  }

  private long estimate(String intervals) {
    JobRun run = run(SmallData.FROM, SmallData.TO, "--dry-run", "--interval=" + intervals);
    Matcher rollups = Pattern.compile("rollups, about +([0-9,]+)").matcher(run.out());
    assertThat(rollups.find()).as(run.out()).isTrue();
    return Long.parseLong(rollups.group(1).replace(",", ""));
  }
}
