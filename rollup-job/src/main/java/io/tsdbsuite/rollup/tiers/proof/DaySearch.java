package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.TiersPlan;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Day;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Outcome;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the days that the policy lets go, and their former proofs. */
final class DaySearch {
  private final ProveOptions options;
  private final ProofStore store;
  private final CoverageRule coverage;
  private final TiersPlan plan;
  private final Set<String> names;
  private final Set<String> reports;
  private final List<ProofDay> found = new ArrayList<>();

  /**
   * @param plan of all tables to prove
   */
  DaySearch(ProveOptions options, ProofStore store, CoverageRule coverage, TiersPlan plan) {
    this.options = options;
    this.store = store;
    this.coverage = coverage;
    this.plan = plan;
    this.names = new HashSet<>(store.names());
    this.reports = new HashSet<>(store.reports());
  }

  /**
   * The days without a proof of their evidence, in the {@link #order} of their work.
   *
   * @param tables in the order of their work
   * @param proven receives the others
   * @throws JobException usage, when {@code --day} is none of them; as {@link ProofStore#read}
   */
  List<ProofDay> find(Collection<Evidence> tables, List<Day> proven) {
    Policy policy = options.tiers().policy();
    for (Evidence table : tables) {
      for (int i = 0; i < policy.entries().size(); i++) {
        find(table, selection(policy, i), proven);
      }
    }
    Integer day = options.day();
    if (day != null && found.isEmpty() && proven.isEmpty()) {
      throw JobException.usage(
          ("--day must be one that %s of some entry lets go, not below a floor, whose end is an"
                  + " hour before the data snapshot (%s), and of which the TTL has taken nothing,"
                  + " found: %s")
              .formatted(
                  tables.stream().map(Evidence::table).collect(Collectors.joining(" or ")),
                  Instant.ofEpochMilli(plan.data().creationTime()),
                  LocalDate.ofEpochDay(day)));
    }
    return order(tables.stream().map(Evidence::table).toList(), found, options.maxDays());
  }

  /**
   * The days in the order of their work. Those of a table come before those of the next. Of a table
   * the oldest day of each entry comes first, because nothing else of the entry can go before it.
   * Then come days without a proof, the oldest first, then those of other snapshots, the oldest
   * proof first. Of days that a former run has refused, which may be refused each night, the oldest
   * have at most half of the rest of {@code --max-days}; the others come last.
   *
   * @param tables in their order
   */
  static List<ProofDay> order(List<String> tables, List<ProofDay> days, int maxDays) {
    List<ProofDay> all = new ArrayList<>();
    for (String table : tables) {
      all.addAll(ofTable(days.stream().filter(day -> day.table().equals(table)).toList(), maxDays));
    }
    return all;
  }

  private static List<ProofDay> ofTable(List<ProofDay> days, int maxDays) {
    List<ProofDay> sorted = new ArrayList<>(days);
    sorted.sort(
        Comparator.comparingInt(ProofDay::day).thenComparingInt(each -> each.entry().entry()));
    Map<Integer, Integer> oldest = new HashMap<>();
    sorted.forEach(day -> oldest.putIfAbsent(day.entry().entry(), day.day()));
    // A day counts once, with all entries.
    Set<Integer> first = new HashSet<>(oldest.values());
    Set<Integer> again = new HashSet<>(first);
    int most = first.size() + (maxDays - first.size()) / 2;
    for (ProofDay day : sorted) {
      if (day.refused() && again.size() < most) {
        again.add(day.day());
      }
    }
    sorted.sort(
        Comparator.comparing((ProofDay day) -> !first.contains(day.day()))
            .thenComparing(day -> day.refused() && !again.contains(day.day()))
            .thenComparing(day -> first.contains(day.day()) ? Instant.MIN : day.former()));
    return sorted;
  }

  private static Proof.Selection selection(Policy policy, int index) {
    Policy.Entry entry = policy.entries().get(index);
    return new Proof.Selection(
        index + 1,
        entry.match(),
        policy.metrics(entry),
        new TreeMap<>(entry.keep()),
        policy.sha256());
  }

  private void find(Evidence evidence, Proof.Selection entry, List<Day> proven) {
    String table = evidence.table();
    // Of later hours the snapshot may lack points; the TTL has begun to take earlier ones.
    long end = evidence.snapshot().creationTime() / 1000 - HoldBack.DEFAULT;
    long begin = CompleteInput.firstWholeHour(evidence.snapshot());
    for (int first : days(table, entry)) {
      int next = plan.endDay(table, first);
      if (first * ProofDay.DAY < begin || next * ProofDay.DAY > end) {
        continue;
      }
      String file =
          ProofStore.name(table, Instant.ofEpochSecond(first * ProofDay.DAY), entry.metrics());
      Proof former = names.contains(file) ? store.read(file) : null;
      Instant at = former == null ? Instant.MIN : former.provenAt();
      boolean refused = former == null && reports.contains(ProofStore.reportName(file));
      ProofDay day = new ProofDay(evidence, first, next, entry, file, at, refused);
      if (former != null && day.isOf(former)) {
        proven.add(day.ended(Outcome.ALREADY_PROVEN, "", file, former));
      } else {
        found.add(day);
      }
    }
  }

  /** The days that an entry lets go; with {@code --day} this one, also if the index has it not. */
  private SortedSet<Integer> days(String table, Proof.Selection entry) {
    SortedSet<Integer> days = plan.days(table, entry.entry() - 1, coverage.floors());
    Integer day = options.day();
    if (day == null) {
      return days;
    }
    int only = plan.firstDay(table, day);
    Long before = plan.before().get(entry.entry() - 1).get(table);
    boolean hidden =
        before != null
            && plan.endDay(table, only) * ProofDay.DAY <= before
            && !coverage.isBelow(entry, table, only * ProofDay.DAY + 1);
    return hidden || days.contains(only) ? new TreeSet<>(Set.of(only)) : new TreeSet<>();
  }
}
