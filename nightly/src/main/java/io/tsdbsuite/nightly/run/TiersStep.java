package io.tsdbsuite.nightly.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.NightlyConfig.TiersSettings;
import io.tsdbsuite.nightly.report.NightResult;
import io.tsdbsuite.nightly.report.NightResult.TierDay;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Proves that data which a policy lets go are in wider rollups, and deletes what an earlier run has
 * proven: raw data, then rows of rollup tables, the narrowest first.
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

  /** Keys of an entry of the policy. */
  private static final String MATCH = "match";

  private static final String IDLE = "idle";

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
   * @param table of the policy: raw, or an interval
   * @param entry its number
   * @param days the oldest first; of longer rows the first of each
   */
  private record Proven(String table, int entry, String match, List<LocalDate> days) {
    Proven only(LocalDate day) {
      return new Proven(table, entry, match, List.of(day));
    }

    String step() {
      String of = table.equals(NightResult.RAW) ? "" : "-" + table;
      return APPLY + of + "-" + entry + "-" + days.get(0);
    }

    List<String> command(JobCommands commands, String report) {
      return commands.apply(table, match, days.get(0), days.get(days.size() - 1), report);
    }

    /** Seconds of the interval; 0 of raw data. */
    long width() {
      if (table.equals(NightResult.RAW)) {
        return 0;
      }
      int number = table.length() - 1;
      int unit =
          switch (table.charAt(number)) {
            case 's' -> 1;
            case 'm' -> 60;
            case 'h' -> 3600;
            default -> 86400;
          };
      return Long.parseLong(table.substring(0, number)) * unit;
    }
  }

  /**
   * Deletes the data of the days that the last proof names, if this run takes snapshots next. A
   * failure is in the result; a second run on a date has those that still hold of the first.
   *
   * @param takesNow whether it does; asked if there are such days
   */
  void apply(BooleanSupplier takesNow) {
    try {
      List<Proven> proven = proven();
      // What has begun needs the former policy, and goes on to fail until it is back.
      if (!proven.isEmpty() && isIdleAlone() && begun(proven).isEmpty()) {
        context.result().add("proven data stay: the policy lets only idle series go now");
        proven = List.of();
      }
      waits = !proven.isEmpty();
      if (waits && takesNow.getAsBoolean()) {
        waits = false;
        for (Proven one : proven) {
          delete(one);
        }
      } else if (waits) {
        tellWaiting(proven);
      }
      int refused = waits ? tellRefused(proof()) : 0;
      if (refused > 0) {
        context.result().fail(JobException.badInput(refused + " days are not proven"));
      }
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /** Says that proven days wait; a failure if a deletion was begun, as by a first run on a date. */
  private void tellWaiting(List<Proven> proven) {
    List<Path> begun = begun(proven);
    if (begun.isEmpty()) {
      context.result().add("proven data wait for the next run that takes snapshots");
    } else {
      context
          .result()
          .fail(
              JobException.badInput(
                  "proven data wait for the next night, because tiers apply has failed or was"
                      + " killed, see "
                      + begun));
    }
  }

  /** The logs of the deletions that were begun since the proof. */
  private List<Path> begun(List<Proven> proven) {
    return proven.stream()
        .map(one -> context.children().log(one.step()))
        .filter(log -> !Instant.ofEpochMilli(log.toFile().lastModified()).isBefore(proved()))
        .toList();
  }

  /**
   * Tells the days that a proof has refused; of the last one also while others wait, since these
   * are not proven then.
   *
   * @return their number
   */
  private int tellRefused(Optional<JobReport> proof) {
    int refused = 0;
    for (JsonNode day : byDay(proof)) {
      if (day.path("outcome").asText().equals("refused")) {
        tell(TierDay.REFUSED, table(day), day);
        refused++;
      }
    }
    return refused;
  }

  private static String table(JsonNode day) {
    return day.path("table").asText(NightResult.RAW);
  }

  /**
   * Deletes the proven data of an entry and table. A failure is in the result; after another one
   * than bad input a later run must go on, unless it was refused and the policy is not that of the
   * proof.
   *
   * @return whether they are deleted
   */
  private boolean delete(Proven proven) {
    if (waits) {
      return false;
    }
    String step = proven.step();
    context
        .progress()
        .accept(
            "deleting %s data of %s: %s".formatted(proven.table(), proven.match(), proven.days()));
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
        tell(TierDay.DELETED, proven.table(), day);
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

  private void tell(TierDay done, String table, JsonNode day) {
    context
        .result()
        .tierDay(
            done,
            table,
            day.path("day").asText(),
            day.path(MATCH).asText(),
            day.path("reason").asText());
  }

  /** The report of the last proof. */
  private Optional<JobReport> proof() {
    return settings.isOn() && settings.apply()
        ? context.reports().at(context.reports().location(PROVE))
        : Optional.empty();
  }

  /**
   * The days of each table and entry that the last proof has proven, up to the first that it has
   * not: a floor is above all older days. Without those of a deletion that has ended since: a
   * second one would replace its report.
   */
  private List<Proven> proven() {
    Map<String, Proven> proven = new HashMap<>();
    Set<String> ended = new HashSet<>();
    for (JsonNode day : byDay(proof())) {
      int entry = day.path("entry").asInt();
      String key = table(day) + " " + entry;
      if (!OUTCOMES.contains(day.path("outcome").asText())) {
        ended.add(key);
      } else if (!ended.contains(key)) {
        proven
            .computeIfAbsent(
                key,
                any -> new Proven(table(day), entry, day.path(MATCH).asText(), new ArrayList<>()))
            .days()
            .add(LocalDate.parse(day.path("day").asText()));
      }
    }
    Instant since = proved();
    return proven.values().stream()
        .filter(one -> !isDone(one, since))
        .sorted(Comparator.comparingLong(Proven::width).thenComparingInt(Proven::entry))
        .toList();
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
    return list(proof, "byDay");
  }

  private static Iterable<JsonNode> list(Optional<JobReport> proof, String name) {
    return proof.map(one -> one.root().path(name)).orElseGet(MissingNode::getInstance);
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
    idle().ifPresent(context.result()::add);
    if (!settings.isOn() || waits || nights.live().isEmpty() || isIdleAlone()) {
      return;
    }
    try {
      LiveSnapshots live = nights.live().get();
      Night today = SnapshotKind.of(context.config()).night(nights.today());
      if (live.nights().stream().map(NightSnapshots::night).noneMatch(today::equals)) {
        return;
      }
      context.progress().accept("proving the data that the policy lets go");
      String location = context.reports().location(PROVE);
      tell(
          RollupSnapshots.ofProof(context)
              .with(
                  live,
                  taken ->
                      context.run(
                          "rollup-job tiers prove",
                          PROVE,
                          context.commands().prove(today, taken, location),
                          location),
                  TiersStep::proofsOf));
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /**
   * The snapshots of rollup tables of whose rows a proof says that they may go: their deletion
   * needs them, as a later {@code tiers undo}.
   */
  static List<String> proofsOf(EndedCommand ended) {
    Set<String> snapshots = new LinkedHashSet<>();
    for (JsonNode day : byDay(ended.report())) {
      if (OUTCOMES.contains(day.path("outcome").asText()) && !table(day).equals(NightResult.RAW)) {
        snapshots.add(ended.report().orElseThrow().text("/input/rollupSnapshot " + table(day)));
      }
    }
    return List.copyOf(snapshots);
  }

  /**
   * Tells what {@code tiers prove} has found.
   *
   * @throws JobException if it has failed
   */
  void tell(EndedCommand ended) {
    int unused = tellRefused(ended.report());
    int notReached = 0;
    Map<String, String> skipped = new HashMap<>();
    Set<String> heldBack = new TreeSet<>();
    List<String> waiting = new ArrayList<>();
    for (JsonNode day : byDay(ended.report())) {
      String outcome = day.path("outcome").asText();
      String key = table(day) + " data of " + day.path(MATCH).asText();
      if (outcome.equals("notReached")) {
        skipped.putIfAbsent(key, day.path("day").asText());
      } else if (OUTCOMES.contains(outcome) && skipped.containsKey(key)) {
        heldBack.add(skipped.get(key) + " of the " + key);
      }
      switch (outcome) {
        case "proven" -> tell(TierDay.PROVEN, table(day), day);
        case "waiting" -> waiting.add(day.path("reason").asText());
        case "notReached" -> notReached++;
        default -> {}
      }
    }
    NightResult result = context.result();
    if (!waiting.isEmpty()) {
      result.add(
          "%s days of rollup tables wait, the first because %s"
              .formatted(waiting.size(), waiting.get(0)));
    }
    if (notReached > 0) {
      result.add("tiers prove has not reached " + notReached + " days");
    }
    if (!heldBack.isEmpty()) {
      result.fail(
          JobException.badInput(
              "days that tiers prove has not reached hold back later ones that are proven: "
                  + String.join(", ", heldBack)));
    }
    for (JsonNode warning : list(ended.report(), "warnings")) {
      result.add("tiers prove warns: " + warning.asText());
    }
    if (ended.success().number("/days/planned") == 0) {
      result.add("no data are to be proven");
    }
  }

  /**
   * Says that nothing is done about series without writes. They go from all tables at once, so a
   * night cannot prove them among days.
   */
  Optional<String> idle() {
    List<String> of = new ArrayList<>();
    for (JsonNode entry : entries()) {
      if (entry.has(IDLE)) {
        of.add(entry.path(MATCH).asText());
      }
    }
    return of.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "idle series of %s stay: rollup-nightly does not run rollup-job tiers prove --idle and"
                    .formatted(String.join(", ", of))
                + " apply --idle");
  }

  /** Whether the policy lets nothing go but idle series: then there are no days to prove. */
  boolean isIdleAlone() {
    Set<String> keys = new HashSet<>();
    entries().forEach(entry -> entry.fieldNames().forEachRemaining(keys::add));
    return keys.equals(Set.of(MATCH, IDLE));
  }

  /** The entries of the policy; none of a file that is none: {@code tiers prove} says why. */
  private JsonNode entries() {
    try {
      return settings.isOn()
          ? new ObjectMapper().readTree(Path.of(settings.policy()).toFile())
          : MissingNode.getInstance();
    } catch (IOException e) {
      return MissingNode.getInstance();
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
