package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.planner.night.Night;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which days of a proof are deleted; {@code TierNightsIT} has whole nights. */
class TiersStepTest {
  private static final String DELETED =
      "{\"report\":\"rollup-job tiers apply\",\"v\":1,\"state\":\"ended\",\"exitCode\":0,"
          + "\"ended\":\"@NOW@\",\"days\":[{\"day\":\"%s\",\"match\":\"app.*\"}]}";

  private static final String REFUSED =
      "{\"report\":\"rollup-job tiers apply\",\"v\":1,\"state\":\"ended\",\"exitCode\":1,"
          + "\"message\":\"a late point\",\"ended\":\"@NOW@\",\"days\":[]}";

  @TempDir private Path dir;
  private StubNight night;

  @BeforeEach
  void aProof() throws IOException {
    night =
        new StubNight(dir)
            .set("snapshots.take", "true")
            .set("tiers.policy", Files.writeString(dir.resolve("tiers.json"), "[]").toString())
            .set("tiers.proofs", dir.resolve("proofs").toString())
            .set("tiers.hfile-dir", "hdfs://nn/tiers")
            .set("tiers.apply-options", "--coverage-pause 5m");
    proof(
        day("2026-11-01", 1, "app.*", "proven"),
        day("2026-11-01", 2, "web.*", "refused"),
        day("2026-11-02", 1, "app.*", "alreadyProven"),
        day("2026-11-02", 2, "web.*", "proven"),
        day("2026-11-03", 1, "app.*", "proven"),
        day("2026-11-04", 1, "app.*", "notReached"),
        day("2026-11-05", 1, "app.*", "proven"));
  }

  private static String day(String day, int entry, String match, String outcome) {
    return "{\"day\":\"%s\",\"entry\":%s,\"match\":\"%s\",\"outcome\":\"%s\"}"
        .formatted(day, entry, match, outcome);
  }

  private void proof(String... days) throws IOException {
    Files.writeString(
        Files.createDirectories(dir.resolve("reports")).resolve("tiers-prove.json"),
        "{\"report\":\"rollup-job tiers"
            + " prove\",\"state\":\"ended\",\"ended\":\"2020-01-01T02:00:00Z\",\"input\":{\"dataSnapshot\":\"tsdb-20261120\"},"
            + "\"byDay\":["
            + String.join(",", days)
            + "]}");
  }

  /** Deletes, and returns what was run. */
  private List<String> apply(Context context, boolean takesNow) throws IOException {
    TiersStep step = new TiersStep(context);
    step.apply(() -> takesNow);
    waits = step.needed().map(Night::dataSnapshot).orElse("");
    return night.calls();
  }

  private String waits = "";

  /** A floor is above all older days. */
  @Test
  void whatIsProvenUpToTheFirstThatIsNot() throws IOException {
    night.answer("tiers-apply", 0, "", DELETED.formatted("2026-11-03"));
    Context context = night.context();
    assertThat(apply(context, true))
        .singleElement()
        .asString()
        .contains(
            " tiers apply --table raw --policy " + dir.resolve("tiers.json") + " --proofs ",
            " --snapshot-root " + dir.resolve("hbase").toUri().toString().replaceAll("/$", ""),
            " --coverage-table tsdb-coverage ",
            " --report " + dir.resolve("reports/tiers-apply-1-2026-11-01.json"),
            " --match app.* --from 2026-11-01 --to 2026-11-04 --hfile-dir hdfs://nn/tiers",
            " --coverage-pause 5m");
    assertThat(context.result().line())
        .isEqualTo("rollup-nightly: exit code 0; raw data deleted: 2026-11-03 of app.*");
    assertThat(waits).isEmpty();
    assertThat(apply(night.context(), false)).as("done, also if prove was killed then").hasSize(1);
    assertThat(waits).isEmpty();
  }

  @Test
  void aRefusedDayHoldsBackLaterOnesOfItsEntryAlone() throws IOException {
    proof(
        day("2026-11-01", 1, "app.*", "proven"),
        day("2026-11-02", 1, "app.*", "proven"),
        day("2026-11-03", 1, "app.*", "proven"),
        day("2026-11-03", 2, "web.*", "proven"));
    night.answer("tiers-apply", 0, "", DELETED.formatted("2026-11-01"));
    night.answer("tiers-apply-2026-11-04", 1, "", REFUSED);
    night.answer("tiers-apply-2026-11-03", 1, "", REFUSED);
    Context context = night.context();
    assertThat(apply(context, true))
        .extracting(call -> call.replaceAll(".* --match (.*) --hfile-dir .*", "$1"))
        .containsExactly(
            "app.* --from 2026-11-01 --to 2026-11-04",
            "app.* --from 2026-11-01 --to 2026-11-02",
            "app.* --from 2026-11-02 --to 2026-11-03",
            "web.* --from 2026-11-03 --to 2026-11-04");
    assertThat(context.result().exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(context.result().line())
        .contains("raw data deleted: 2026-11-01 of app.*; ", "status 1 (a late point)");
    assertThat(waits).as("the days are proven again").isEmpty();
  }

  /** What may have begun must end with the same proof, whose snapshot stays. */
  @Test
  void afterAFailureTheProofWaits() throws IOException {
    proof(day("2026-11-01", 1, "app.*", "proven"), day("2026-11-01", 2, "web.*", "proven"));
    night.answer("tiers-apply", 137, "", "");
    Context context = night.context();
    assertThat(apply(context, true)).hasSize(1);
    assertThat(context.result().exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(waits).isEqualTo("tsdb-20261120");
  }

  @Test
  void withoutSnapshotsNextTheProofWaits() throws IOException {
    assertThat(apply(night.context(), false)).isEmpty();
    assertThat(waits).isEqualTo("tsdb-20261120");
  }

  @Test
  void onlyProven() throws IOException {
    night.set("tiers.apply", "false");
    assertThat(apply(night.context(), true)).isEmpty();
    assertThat(waits).isEmpty();
  }
}
