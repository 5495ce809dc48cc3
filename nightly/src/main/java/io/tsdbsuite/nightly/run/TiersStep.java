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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
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
   * failure is in the result; a second run on a date has those that still hold of the first.
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
      } else if (waits) {
        tellWaiting(proven);
      }
      if (waits) {
        tellRefused();
      }
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /** Says that proven days wait; a failure if a deletion was begun, as by a first run on a date. */
  private void tellWaiting(List<Proven> proven) {
    List<Path> begun =
        proven.stream()
            .map(one -> context.children().log(one.step()))
            .filter(log -> !Instant.ofEpochMilli(log.toFile().lastModified()).isBefore(proved()))
            .toList();
    if (begun.isEmpty()) {
      context.result().add("proven raw data wait for the next run that takes snapshots");
    } else {
      context
          .result()
          .fail(
              JobException.badInput(
                  "raw data wait for the next night, because tiers apply has failed or was killed,"
                      + " see "
                      + begun));
    }
  }

  /** Tells the days that the last proof has refused: while others wait they are not proven. */
  private void tellRefused() {
    int refused = 0;
    for (JsonNode day : byDay(proof())) {
      if (day.path("outcome").asText().equals("refused")) {
        tell(RawData.REFUSED, day);
        refused++;
      }
    }
    if (refused > 0) {
      context.result().fail(JobException.badInput(refused + " days of raw data are not proven"));
    }
  }

  /**
   * Deletes the raw data of an entry. A failure is in the result; after another one than bad input
   * a later run must go on, unless it was refused and the policy is not that of the proof.
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
      waits =
          e.exitCode() != ExitCode.BAD_INPUT
              && !(e.exitCode() == ExitCode.USAGE && isPolicyChanged());
      return false;
    }
  }

  private boolean isPolicyChanged() {
    try {
      byte[] policy = Files.readAllBytes(Path.of(settings.policy()));
      String found = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(policy));
      return proof().filter(one -> !one.text("/input/policy").equals(found)).isPresent();
    } catch (IOException | NoSuchAlgorithmException e) {
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
    Instant since = proved();
    return proven.values().stream().filter(one -> !isDone(one, since)).toList();
  }

  /** When the last proof ended. */
  private Instant proved() {
    return proof().flatMap(JobReport::ended).orElse(Instant.MAX);
  }

  /**
   * Whether reports name all days as deleted. The report of a group of days has the file name of
   * the report of its first day.
   */
  private boolean isDone(Proven proven, Instant since) {
    Set<String> done = new HashSet<>();
    for (LocalDate day : proven.days()) {
      context
          .reports()
          .at(context.reports().location(proven.only(day).step()))
          .filter(report -> report.text("/exitCode").equals("0"))
          .filter(report -> report.ended().filter(end -> !end.isBefore(since)).isPresent())
          .ifPresent(report -> done.addAll(report.root().path("days").findValuesAsText("day")));
    }
    return proven.days().stream().map(LocalDate::toString).allMatch(done::contains);
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
      tell(
          RollupSnapshots.ofAll(context)
              .with(
                  live,
                  taken ->
                      context.run(
                          "rollup-job tiers prove",
                          PROVE,
                          context.commands().prove(today, taken, location),
                          location)));
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /**
   * Tells what {@code tiers prove} has found.
   *
   * @throws JobException if it has failed
   */
  void tell(EndedCommand ended) {
    int notReached = 0;
    for (JsonNode day : byDay(ended.report())) {
      switch (day.path("outcome").asText()) {
        case "proven" -> tell(RawData.PROVEN, day);
        case "refused" -> tell(RawData.REFUSED, day);
        case "notReached" -> notReached++;
        default -> {}
      }
    }
    if (notReached > 0) {
      context.result().add("tiers prove has not reached " + notReached + " days of raw data");
    }
    if (ended.success().number("/days/planned") == 0) {
      context.result().add("no raw data are to be proven");
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
