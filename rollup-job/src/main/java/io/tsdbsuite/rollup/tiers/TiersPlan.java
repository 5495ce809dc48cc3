package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.tiers.Policy.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the policy would let go.
 *
 * @param before start of the first day that an entry keeps, seconds since the epoch, by entry and
 *     then by the name of the table; without those that it keeps for ever
 * @param tables the data table, then the rollup tables
 * @param proofs days whose data would go, by entry and then by the name of the table; empty if the
 *     directory of the proofs is not known
 */
public record TiersPlan(
    TiersOptions options,
    Instant now,
    List<Map<String, Long>> before,
    List<Table> tables,
    List<Map<String, Proofs>> proofs,
    List<String> warnings) {
  private static final double GIGABYTE = 1e9;

  /** Days without bytes, or spans of rows if longer, between some with, that a block may hide. */
  private static final int HIDDEN_DAYS = 31;

  /** Bytes, and what of them would go now, and within the next 30 days. Not thread-safe. */
  static final class Amount {
    long bytes;
    long goes;
    long nextMonth;

    void add(Amount other) {
      bytes += other.bytes;
      goes += other.goes;
      nextMonth += other.nextMonth;
    }
  }

  /**
   * A metric of a table.
   *
   * @param entry number of the entry that counts, from 0; negative if there is none
   * @param days its bytes by day
   */
  record Metric(String name, int entry, Amount amount, StoredBytes.Days days) {}

  /**
   * A table.
   *
   * @param metrics those with most bytes first
   * @param days by days since the epoch
   * @param entries by the entries of the policy
   * @param all of all metrics with names
   */
  record Table(
      Tier tier,
      TableBytes bytes,
      List<Metric> metrics,
      SortedMap<Integer, Amount> days,
      List<Amount> entries,
      Amount all) {}

  /**
   * Days whose data of a table an entry lets go, in days since the epoch, by their proofs.
   *
   * @param proven by a snapshot that may be applied now
   * @param tooOld proven by one that is older than a proof may be
   * @param missing without a proof of the entry
   */
  public record Proofs(
      SortedSet<Integer> proven, SortedSet<Integer> tooOld, SortedSet<Integer> missing) {
    /** No days. */
    public Proofs() {
      this(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    }
  }

  /** The same plan with what is proven, by entry and then by the name of the table. */
  public TiersPlan with(List<Map<String, Proofs>> found) {
    return new TiersPlan(options, now, before, tables, found, warnings);
  }

  /** Applies the policy. */
  static TiersPlan of(
      TiersOptions options,
      Instant now,
      TierMetrics metrics,
      Map<Tier, TableBytes> bytes,
      List<String> warnings) {
    List<Table> tables = new ArrayList<>();
    bytes.forEach((tier, stored) -> tables.add(table(options.policy(), metrics, tier, stored)));
    List<Map<String, Long>> before = new ArrayList<>();
    for (Entry entry : options.policy().entries()) {
      Map<String, Long> times = new LinkedHashMap<>();
      for (Tier tier : bytes.keySet()) {
        if (entry.keep().containsKey(tier.name())) {
          times.put(tier.name(), metrics.before(entry, tier));
        }
      }
      before.add(times);
    }
    return new TiersPlan(options, now, before, tables, List.of(), warnings);
  }

  private static Table table(Policy policy, TierMetrics metrics, Tier tier, TableBytes bytes) {
    List<Metric> all = new ArrayList<>();
    SortedMap<Integer, Amount> days = new TreeMap<>();
    List<Amount> entries = new ArrayList<>();
    policy.entries().forEach(entry -> entries.add(new Amount()));
    Amount sum = new Amount();
    bytes
        .stored
        .metrics()
        .forEach(
            (uid, ofMetric) -> {
              TierMetrics.Metric metric = metrics.of(uid).orElseThrow();
              Amount amount = amount(metrics, tier, metric.entry(), ofMetric, days);
              int entry = metric.entry() == null ? -1 : policy.entries().indexOf(metric.entry());
              if (entry >= 0) {
                entries.get(entry).add(amount);
              }
              sum.add(amount);
              all.add(new Metric(metric.name(), entry, amount, ofMetric));
            });
    all.sort(
        Comparator.comparingLong((Metric metric) -> -metric.amount().bytes)
            .thenComparing(Metric::name));
    return new Table(tier, bytes, all, days, entries, sum);
  }

  private static Amount amount(
      TierMetrics metrics,
      Tier tier,
      @Nullable Entry entry,
      StoredBytes.Days of,
      SortedMap<Integer, Amount> days) {
    Amount sum = new Amount();
    for (int day = of.first(); day < of.first() + of.days(); day++) {
      long bytes = of.of(day, StoredBytes.BYTES);
      if (bytes > 0) {
        Amount amount = new Amount();
        amount.bytes = bytes;
        amount.goes = metrics.goes(entry, tier, day) ? bytes : 0;
        amount.nextMonth = metrics.goesNextMonth(entry, tier, day) ? bytes : 0;
        sum.add(amount);
        days.computeIfAbsent(day, any -> new Amount()).add(amount);
      }
    }
    return sum;
  }

  /**
   * The days whose data of a table an entry lets go, in days since the epoch: those with bytes, and
   * up to 31 without any before the next one with some, or before the first that is kept, because
   * an index does not tell of a day that lies wholly within a block. If the rows of the table are
   * longer than a day, the first days of their spans.
   *
   * @param table {@link Policy#RAW} or an interval, of the plan
   * @param entry its number, from 0
   * @param floors days below the floors of all metrics of the entry are gone, and do not count;
   *     those after a floor may be hidden, too
   */
  public SortedSet<Integer> days(String table, int entry, List<CoverageFloor> floors) {
    TreeSet<Integer> days = new TreeSet<>();
    Long end = before.get(entry).get(table);
    if (end == null) {
      return days;
    }
    int kept = (int) (end / Tier.DAY);
    long lowest = Long.MAX_VALUE;
    for (Metric metric : table(table).metrics()) {
      if (metric.entry() != entry) {
        continue;
      }
      long floor = CoverageFloor.highest(floors, table, metric.name());
      lowest = Math.min(lowest, floor);
      days.add(floor == 0 ? -1 : firstDay(table, (int) (floor / Tier.DAY) - 1));
      StoredBytes.Days of = metric.days();
      for (int day = of.first(); day < of.first() + of.days(); day++) {
        boolean some = of.of(day, StoredBytes.BYTES) > 0 || of.of(day, StoredBytes.MAYBE_MORE) > 0;
        if (some && day < kept) {
          days.add(firstDay(table, day));
        }
      }
    }
    for (int day : List.copyOf(days)) {
      Integer next = days.higher(day);
      int stop = next == null ? kept : next;
      List<Integer> hidden = new ArrayList<>();
      int each = endDay(table, day);
      while (each < stop && hidden.size() < HIDDEN_DAYS) {
        hidden.add(each);
        each = endDay(table, each);
      }
      if (hidden.size() < HIDDEN_DAYS) {
        days.addAll(hidden);
      }
    }
    long first = lowest / Tier.DAY;
    days.removeIf(day -> day < first || endDay(table, day) > kept);
    return days;
  }

  /** The start of the rows of a day; the day, if rows are not longer. Days since the epoch. */
  public int firstDay(String table, int day) {
    return (int) (table(table).tier().rowOf(day * Tier.DAY) / Tier.DAY);
  }

  /** The day after the rows of a day, days since the epoch. */
  public int endDay(String table, int day) {
    return day < 0 ? 0 : (int) (table(table).tier().dayEnd(day) / Tier.DAY);
  }

  Table table(String name) {
    return tables.stream()
        .filter(each -> each.tier().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The snapshot of the data table. */
  public Snapshot data() {
    return tables.get(0).tier().snapshot();
  }

  /** Whether the books of all tables close. */
  public boolean booksClose() {
    return tables.stream().allMatch(table -> table.bytes().closes());
  }

  /** The sum of all tables. */
  Amount sum() {
    Amount sum = new Amount();
    tables.forEach(table -> sum.add(table.all()));
    return sum;
  }

  /** Bytes of blocks that may have rows that would go, and others. */
  long uncertain() {
    return tables.stream().mapToLong(table -> table.bytes().uncertain).sum();
  }

  /** Price of bytes for a month; null if it is unknown. */
  @Nullable Double price(long bytes) {
    Double price = options.price();
    return price == null ? null : price * bytes / GIGABYTE;
  }
}
