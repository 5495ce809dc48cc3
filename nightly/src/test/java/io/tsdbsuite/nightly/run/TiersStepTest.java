package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.process.Children;
import io.tsdbsuite.nightly.report.Reports;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which days of a proof are deleted; {@code TierNightsIT} has whole nights. */
class TiersStepTest {
  private static final String DELETED =
      "{\"report\":\"rollup-job tiers apply\",\"v\":1,\"state\":\"ended\",\"exitCode\":0,"
          + "\"ended\":\"@NOW@\",\"days\":[%s]}";

  private static final String REFUSED =
      "{\"report\":\"rollup-job tiers apply\",\"v\":1,\"state\":\"ended\",\"exitCode\":1,"
          + "\"message\":\"a late point\",\"ended\":\"@NOW@\",\"days\":[]}";

  private static final String WAITING =
      "the floor of raw must be 2025-01-02 or later before rows of 1h go: apply raw first";

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
    return day("raw", day, entry, match, outcome, "");
  }

  private static String day(
      String table, String day, int entry, String match, String outcome, String reason) {
    return ("{\"table\":\"%s\",\"day\":\"%s\",\"entry\":%s,\"match\":\"%s\",\"outcome\":\"%s\","
            + "\"reason\":\"%s\"}")
        .formatted(table, day, entry, match, outcome, reason);
  }

  private static String deleted(String... days) {
    return DELETED.formatted(
        Stream.of(days)
            .map("{\"day\":\"%s\",\"match\":\"app.*\"}"::formatted)
            .collect(Collectors.joining(",")));
  }

  private void proof(String... days) throws IOException {
    Files.writeString(
        Files.createDirectories(dir.resolve("reports")).resolve("tiers-prove.json"),
        "{\"report\":\"rollup-job tiers"
            + " prove\",\"state\":\"ended\",\"ended\":\"2020-01-01T02:00:00Z\",\"input\":{\"dataSnapshot\":\"tsdb-20261120\",\"policy\":\""
            // SHA-256 of [].
            + "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
            + "\"},"
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
    night.answer("tiers-apply", 0, "", deleted("2026-11-01", "2026-11-02", "2026-11-03"));
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
        .isEqualTo(
            "rollup-nightly: exit code 0; raw data deleted: 2026-11-01 of app.*, 2026-11-02 of"
                + " app.*, 2026-11-03 of app.*");
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
    night.answer("tiers-apply", 0, "", deleted("2026-11-01"));
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
    Context second = night.context();
    assertThat(apply(second, false)).as("a second run on the date").hasSize(1);
    assertThat(second.result().exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(second.result().line())
        .contains(
            "proven data wait for the next night, because tiers apply has failed or was killed, see"
                + " ["
                + dir.resolve("state/logs/tiers-apply-1-2026-11-01.log")
                + "]");
    assertThat(waits).isEqualTo("tsdb-20261120");
  }

  /** Its report has the name of that of the group. */
  @Test
  void theFirstDayOfAGroupIsNotTheGroup() throws IOException {
    proof(
        day("2026-11-01", 1, "app.*", "proven"),
        day("2026-11-02", 1, "app.*", "proven"),
        day("2026-11-03", 1, "app.*", "proven"));
    night.answer("tiers-apply", 0, "", deleted("2026-11-01"));
    night.answer("tiers-apply-2026-11-04", 1, "", REFUSED);
    night.answer("tiers-apply-2026-11-03", 137, "", "");
    assertThat(apply(night.context(), true)).hasSize(3);
    assertThat(waits).isEqualTo("tsdb-20261120");
    assertThat(apply(night.context(), false)).hasSize(3);
    assertThat(waits).isEqualTo("tsdb-20261120");
  }

  @Test
  void daysThatWereDeletedOneByOneAreDone() throws IOException {
    proof(day("2026-11-01", 1, "app.*", "proven"), day("2026-11-02", 1, "app.*", "proven"));
    night.answer("tiers-apply-2026-11-02", 0, "", deleted("2026-11-01"));
    // Of the group, then of its last day.
    night.answer("tiers-apply-2026-11-03", 1, "", REFUSED);
    apply(night.context(), true);
    assertThat(waits).isEmpty();
    Files.writeString(
        dir.resolve("reports/tiers-apply-1-2026-11-02.json"),
        deleted("2026-11-02").replace("@NOW@", StubNight.NOW.toString()));
    apply(night.context(), false);
    assertThat(waits).isEmpty();
  }

  /** A policy that is not that of the proof cannot be applied in any later night. */
  @Test
  void anotherPolicyIsProven() throws IOException {
    proof(day("2026-11-01", 1, "app.*", "proven"));
    night.answer("tiers-apply", 2, "", "");
    apply(night.context(), true);
    assertThat(waits).as("such as a table that is disabled").isEqualTo("tsdb-20261120");
    Files.writeString(dir.resolve("tiers.json"), "[ ]");
    Context changed = night.context();
    apply(changed, true);
    assertThat(changed.result().exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(waits).isEmpty();
    night.answer("tiers-apply", 137, "", "");
    apply(night.context(), true);
    assertThat(waits).as("it may have begun").isEqualTo("tsdb-20261120");
  }

  /** tiers apply refuses each day then; no proof replaces the report that names them. */
  @Test
  void aPolicyOfIdleSeriesAloneEndsTheProof() throws IOException {
    Files.writeString(dir.resolve("tiers.json"), "[{\"match\":\"app.*\",\"idle\":\"1y\"}]");
    night.answer("tiers-apply", 2, "", "");
    for (int i = 0; i < 2; i++) {
      Context context = night.context();
      assertThat(apply(context, true)).isEmpty();
      assertThat(context.result().line())
          .isEqualTo(
              "rollup-nightly: exit code 0; proven data stay: the policy lets only idle series go"
                  + " now");
      assertThat(waits).isEmpty();
    }
    // What was killed must not be forgotten.
    Path logs = Files.createDirectories(dir.resolve("state/logs"));
    Files.writeString(logs.resolve("tiers-apply-1-2026-11-01.log"), "");
    Context begun = night.context();
    assertThat(apply(begun, true)).hasSize(1);
    assertThat(begun.result().exitCode()).isEqualTo(ExitCode.USAGE);
  }

  /** A second run on a date does not compare the refused day. */
  @Test
  void withoutSnapshotsNextTheProofWaits() throws IOException {
    Context context = night.context();
    assertThat(apply(context, false)).isEmpty();
    assertThat(waits).isEqualTo("tsdb-20261120");
    assertThat(context.result().line())
        .isEqualTo(
            "rollup-nightly: exit code 1; raw data refused: 2026-11-01 of web.*; proven data"
                + " wait for the next run that takes snapshots; 1 days are not proven");
    proof(day("2026-11-01", 1, "app.*", "proven"));
    context = night.context();
    apply(context, false);
    assertThat(context.result().exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void whatProveHasNotReachedOrFound() throws IOException {
    assertThat(proved(3, day("2026-11-01", 1, "app.*", "alreadyProven")))
        .isEqualTo("rollup-nightly: exit code 0; tiers prove warns: 6h must have");
    assertThat(
            proved(
                3,
                day("2026-11-01", 1, "app.*", "proven"),
                day("2026-11-02", 1, "app.*", "notReached"),
                day("2026-11-03", 1, "app.*", "notReached")))
        .isEqualTo(
            "rollup-nightly: exit code 0; raw data proven: 2026-11-01 of app.*; tiers prove has not"
                + " reached 2 days; tiers prove warns: 6h must have");
    assertThat(proved(0)).endsWith("; no data are to be proven");
  }

  /** Nothing of an entry goes before its oldest day, so it must not wait unnoticed. */
  @Test
  void aDayThatIsNotReachedHoldsBackLaterOnes() throws IOException {
    assertThat(
            proved(
                9,
                day("1h", "2025-01-01", 1, "app.*", "notReached", ""),
                day("2026-11-01", 1, "app.*", "notReached"),
                day("2026-11-01", 2, "web.*", "proven"),
                day("2026-11-02", 1, "app.*", "notReached"),
                day("2026-11-02", 2, "web.*", "notReached"),
                day("2026-11-03", 1, "app.*", "proven"),
                day("2026-11-04", 1, "app.*", "alreadyProven")))
        .startsWith("rollup-nightly: exit code 1; ")
        .contains(
            "; tiers prove has not reached 4 days; days that tiers prove has not reached hold back"
                + " later ones that are proven: 2026-11-01 of the raw data of app.*; ");
  }

  private String proved(int planned, String... days) throws IOException {
    Context context = night.context();
    new TiersStep(context).tell(ended(0, "", planned, days));
    return context.result().line();
  }

  private EndedCommand ended(int status, String message, int planned, String... days) {
    JobReport report =
        Reports.of(
            ("{\"state\":\"ended\",\"exitCode\":%s,\"message\":\"%s\","
                    + "\"ended\":\"2026-11-21T02:00:00Z\",\"days\":{\"planned\":%s},"
                    + "\"input\":{\"rollupSnapshot 1h\":\"of-1h\",\"rollupSnapshot 1d\":\"of-1d\"},"
                    + "\"byDay\":[%s],\"warnings\":[\"6h must have\"]}")
                .formatted(status, message, planned, String.join(",", days)));
    return new EndedCommand(
        "prove", new Children.Run(status, StubNight.NOW), Optional.of(report), dir.resolve("log"));
  }

  /** A later run deletes the raw data first, so the night has not failed. */
  @Test
  void rowsOfARollupTableWaitForTheFloor() throws IOException {
    String waits = day("1h", "2025-01-01", 1, "app.*", "waiting", WAITING);
    String proven = day("2026-11-01", 1, "app.*", "proven");
    Context context = night.context();
    new TiersStep(context).tell(ended(0, "", 2, waits, proven));
    assertThat(context.result().line())
        .isEqualTo(
            "rollup-nightly: exit code 0; raw data proven: 2026-11-01 of app.*; 1 days of rollup"
                + " tables wait, the first because "
                + WAITING
                + "; tiers prove warns: 6h must have");
    // Another day is refused, or prove has failed.
    String wrong = day("1h", "2025-01-02", 1, "app.*", "refused", "7 are different");
    Context refused = night.context();
    requireFails(refused, ended(1, "1 of 2 days of entries are refused", 2, waits, wrong));
    assertThat(refused.result().line())
        .contains("exit code 0; stored rollups refused: 2025-01-02 of 1h of app.*; 1 days of");
    requireFails(night.context(), ended(1, "proof x must have format 1", 2, waits));
  }

  private static void requireFails(Context context, EndedCommand ended) {
    TiersStep step = new TiersStep(context);
    assertThatThrownBy(() -> step.tell(ended))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT));
  }

  /** Deletion and undo need the snapshots of the tables whose rows may go. */
  @Test
  void theSnapshotsOfProofsStay() {
    assertThat(
            TiersStep.proofsOf(
                ended(
                    3,
                    "HBase is away",
                    3,
                    day("1h", "2025-01-01", 1, "app.*", "proven", ""),
                    day("1d", "2024-01-01", 1, "app.*", "refused", "7 are different"),
                    day("2026-11-01", 1, "app.*", "proven"))))
        .containsExactly("of-1h");
    assertThat(
            TiersStep.proofsOf(
                ended(0, "", 1, day("1d", "2024-01-01", 1, "app.*", "alreadyProven", ""))))
        .containsExactly("of-1d");
    assertThat(
            TiersStep.proofsOf(
                new EndedCommand(
                    "prove",
                    new Children.Run(137, StubNight.NOW),
                    Optional.empty(),
                    dir.resolve("log"))))
        .isEmpty();
  }

  /** The narrowest table first; what is refused in one holds back no other. */
  @Test
  void tablesByTheirWidth() throws IOException {
    proof(
        day("1d", "2020-01-01", 1, "app.*", "proven", ""),
        day("1h", "2025-01-01", 1, "app.*", "proven", ""),
        day("1h", "2025-01-02", 1, "app.*", "waiting", WAITING),
        day("1h", "2025-01-03", 1, "app.*", "proven", ""),
        day("30m", "2025-06-01", 2, "web.*", "proven", ""),
        day("2026-11-01", 1, "app.*", "refused"),
        day("2026-11-02", 2, "web.*", "proven"));
    night.answer("tiers-apply", 0, "", deleted("2026-11-02"));
    night.answer("tiers-apply-2025-06-02", 1, "", REFUSED);
    night.answer("tiers-apply-2025-01-02", 0, "", deleted("2025-01-01"));
    night.answer("tiers-apply-2020-01-02", 137, "", "");
    Context context = night.context();
    assertThat(apply(context, true))
        .extracting(
            call ->
                call.replaceAll(
                    ".* --table (\\S*) .*/(\\S*).json --match (.*) --hfile-dir .*", "$1 $2 $3"))
        .containsExactly(
            "raw tiers-apply-2-2026-11-02 web.* --from 2026-11-02 --to 2026-11-03",
            "30m tiers-apply-30m-2-2025-06-01 web.* --from 2025-06-01 --to 2025-06-02",
            "1h tiers-apply-1h-1-2025-01-01 app.* --from 2025-01-01 --to 2025-01-02",
            "1d tiers-apply-1d-1-2020-01-01 app.* --from 2020-01-01 --to 2020-01-02");
    assertThat(context.result().line())
        .contains(
            "raw data deleted: 2026-11-02 of app.*; raw data refused: 2026-11-01 of app.*; stored"
                + " rollups deleted: 2025-01-01 of 1h of app.*; rollup-job tiers apply ended with")
        .endsWith("; 1 days are not proven");
    assertThat(waits).as("1d goes on with its proof").isEqualTo("tsdb-20261120");
    assertThat(apply(night.context(), true).subList(4, 6))
        .as("raw data and 1h are done")
        .allMatch(call -> call.contains("--table 30m ") || call.contains("--table 1d "));
    assertThat(night.calls()).hasSize(6);
  }

  @Test
  void idleSeriesAreLeftToAPerson() throws IOException {
    Path policy = dir.resolve("tiers.json");
    assertThat(new TiersStep(night.context()).idle()).isEmpty();
    Files.writeString(
        policy, "[{\"match\":\"app.*\",\"raw\":\"30d\",\"idle\":\"1y\"},{\"match\":\"*\"}]");
    assertThat(new TiersStep(night.context()).idle())
        .hasValue(
            "idle series of app.* stay: rollup-nightly does not run rollup-job tiers prove --idle"
                + " and apply --idle");
    assertThat(new TiersStep(night.context()).isIdleAlone()).isFalse();
    Files.writeString(policy, "[{\"match\":\"app.*\",\"idle\":\"1y\"},{\"match\":\"*\"}]");
    assertThat(new TiersStep(night.context()).isIdleAlone()).as("prove needs days").isTrue();
    Files.writeString(policy, "no JSON");
    assertThat(new TiersStep(night.context()).idle()).isEmpty();
    assertThat(new TiersStep(night.context()).isIdleAlone()).isFalse();
  }

  /** Without the floors a run would take back rollups; HBase was not asked for the table. */
  @Test
  void eachRunReadsTheFloors() throws IOException {
    assertThat(night.context().commands().rollup(List.of(), Optional.empty()))
        .containsSubsequence("--coverage-table", "tsdb-coverage");
    night.set("job.options", "--coverage-table tsdb-coverage");
    assertThat(night.context().commands().rollup(List.of(), Optional.empty()))
        .doesNotContain("--coverage-table");
  }

  @Test
  void onlyProven() throws IOException {
    night.set("tiers.apply", "false");
    assertThat(apply(night.context(), true)).isEmpty();
    assertThat(waits).isEmpty();
  }
}
