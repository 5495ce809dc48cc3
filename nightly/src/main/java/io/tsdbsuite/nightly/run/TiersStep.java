package io.tsdbsuite.nightly.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.NightlyConfig.TiersSettings;
import io.tsdbsuite.nightly.report.NightResult.RawData;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.nightly.snapshot.SnapshotKind;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.report.JobReport;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Proves that raw data which a policy lets go are in the rollups, and deletes what an earlier run
 * has proven.
 *
 * <p>It deletes directly before a run takes its snapshots: once HBase has compacted the HFiles with
 * delete markers, the next search for late data cannot tell them from other bulk loads. The report
 * of the last {@code tiers prove} names the days. It is not replaced before each {@code tiers
 * apply} of them has ended, so that a later run goes on after a failure or a kill.
 */
final class TiersStep {
  static final String PROVE = "tiers-prove";
  static final String APPLY = "tiers-apply";

  /** Of days with a proof. */
  private static final Set<String> OUTCOMES = Set.of("proven", "alreadyProven");

  private final Context context;
  private final TiersSettings settings;

  /** Whether proven days wait for their deletion. */
  private boolean waits;

  TiersStep(Context context) {
    this.context = context;
    this.settings = context.config().tiers();
  }

  /**
   * Proven days of an entry of the policy.
   *
   * @param entry its number
   * @param days the oldest first
   */
  private record Proven(int entry, String match, List<LocalDate> days) {
    Proven only(LocalDate day) {
      return new Proven(entry, match, List.of(day));
    }

    String step() {
      return APPLY + "-" + entry + "-" + days.get(0);
    }

    List<String> command(JobCommands commands, String report) {
      return commands.apply(match, days.get(0), days.get(days.size() - 1), report);
    }
  }

  /**
   * Deletes the raw data of the days that the last proof names, if this run takes snapshots next. A
   * failure is in the result.
   *
   * @param takesNow whether it does; asked if there are such days
   */
  void apply(BooleanSupplier takesNow) {
    try {
      List<Proven> proven = proven();
      waits = !proven.isEmpty();
      if (waits && takesNow.getAsBoolean()) {
        waits = false;
        for (Proven one : proven) {
          delete(one);
        }
      }
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /**
   * Deletes the raw data of an entry. A failure is in the result; after another one than bad input
   * a later run must go on.
   *
   * @return whether they are deleted
   */
  private boolean delete(Proven proven) {
    if (waits) {
      return false;
    }
    String step = proven.step();
    context.progress().accept("deleting raw data of " + proven.match() + ": " + proven.days());
    String location = context.reports().location(step);
    try {
      EndedCommand ended =
          context.run(
              "rollup-job tiers apply",
              step,
              proven.command(context.commands(), location),
              location);
      if (ended.code() == ExitCode.BAD_INPUT && proven.days().size() > 1) {
        // A day that is refused must not hold back older ones.
        return proven.days().stream().allMatch(day -> delete(proven.only(day)));
      }
      for (JsonNode day : ended.success().root().path("days")) {
        tell(RawData.DELETED, day);
      }
      return true;
    } catch (JobException e) {
      context.result().fail(e);
      waits = e.exitCode() != ExitCode.BAD_INPUT;
      return false;
    }
  }

  private void tell(RawData done, JsonNode day) {
    context
        .result()
        .rawData(
            done,
            day.path("day").asText(),
            day.path("match").asText(),
            day.path("reason").asText());
  }

  /** The report of the last proof. */
  private Optional<JobReport> proof() {
    return settings.isOn() && settings.apply()
        ? context.reports().at(context.reports().location(PROVE))
        : Optional.empty();
  }

  /**
   * The days of each entry that the last proof has proven, up to the first that it has not: a floor
   * is above all older days. Without those of a deletion that has ended since: a second one would
   * replace its report.
   */
  private List<Proven> proven() {
    Map<Integer, Proven> proven = new TreeMap<>();
    Set<Integer> ended = new HashSet<>();
    for (JsonNode day : byDay(proof())) {
      int entry = day.path("entry").asInt();
      if (!OUTCOMES.contains(day.path("outcome").asText())) {
        ended.add(entry);
      } else if (!ended.contains(entry)) {
        proven
            .computeIfAbsent(
                entry, any -> new Proven(any, day.path("match").asText(), new ArrayList<>()))
            .days()
            .add(LocalDate.parse(day.path("day").asText()));
      }
    }
    Instant since = proof().flatMap(JobReport::ended).orElse(Instant.MAX);
    return proven.values().stream().filter(one -> !isDone(one, since)).toList();
  }

  private boolean isDone(Proven proven, Instant since) {
    return context
        .reports()
        .at(context.reports().location(proven.step()))
        .filter(report -> report.text("/exitCode").equals("0"))
        .flatMap(JobReport::ended)
        .filter(end -> !end.isBefore(since))
        .isPresent();
  }

  private static Iterable<JsonNode> byDay(Optional<JobReport> proof) {
    return proof.map(one -> one.root().path("byDay")).orElseGet(MissingNode::getInstance);
  }

  /** The night whose snapshots the deletion of proven days needs; empty if none wait. */
  Optional<Night> needed() {
    SnapshotKind kind = SnapshotKind.of(context.config());
    return proof()
        .filter(any -> waits)
        .flatMap(of -> kind.pattern().date(kind.dataTable(), of.text("/input/dataSnapshot")))
        .map(kind::night);
  }

  /**
   * Proves the days that the policy lets go, from the snapshots of today, unless proven ones wait.
   * A failure is in the result.
   */
  void prove(Nights nights) {
    if (!settings.isOn() || waits || nights.live().isEmpty()) {
      return;
    }
    try {
      LiveSnapshots live = nights.live().get();
      Night today = SnapshotKind.of(context.config()).night(nights.today());
      if (live.nights().stream().map(NightSnapshots::night).noneMatch(today::equals)) {
        return;
      }
      context.progress().accept("proving the raw data that the policy lets go");
      String location = context.reports().location(PROVE);
      EndedCommand ended =
          RollupSnapshots.ofAll(context)
              .with(
                  live,
                  taken ->
                      context.run(
                          "rollup-job tiers prove",
                          PROVE,
                          context.commands().prove(today, taken, location),
                          location));
      for (JsonNode day : byDay(ended.report())) {
        switch (day.path("outcome").asText()) {
          case "proven" -> tell(RawData.PROVEN, day);
          case "refused" -> tell(RawData.REFUSED, day);
          default -> {}
        }
      }
      ended.success();
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /**
   * The commands that delete what the last proof names.
   *
   * @param commands command lines for people
   */
  List<List<String>> applies(JobCommands commands) {
    return proven().stream()
        .map(one -> one.command(commands, context.reports().location(one.step())))
        .toList();
  }
}
