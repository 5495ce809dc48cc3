package io.tsdbsuite.rollup.tiers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import io.tsdbsuite.rollup.tiers.Policy.Entry;
import io.tsdbsuite.rollup.tiers.TiersPlan.Amount;
import io.tsdbsuite.rollup.tiers.TiersPlan.Metric;
import io.tsdbsuite.rollup.tiers.TiersPlan.Proofs;
import io.tsdbsuite.rollup.tiers.TiersPlan.Table;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;

/** A plan as JSON and as lines of text; docs/tiers.md has the fields. */
public record TiersReport(TiersPlan plan) {
  private static final int VERSION = 1;
  private static final double PERCENT = 100;

  /** When small regions become fewer. */
  static final String MERGED =
      "small regions are merged if NORMALIZATION_ENABLED, and normalizer_enabled in HBase's shell";

  /** When the bytes are free. */
  static final String SPACE =
      "when HBase has compacted these regions whole, and no snapshot needs their old HFiles";

  /** Why the plan has no bytes of idle series. */
  static final String IDLE = "an index does not foretell which series are idle";

  /** The report. */
  public Report report() {
    Report report = new Report("rollup-job tiers plan", VERSION, new TextTable(18, 44, 20));
    ObjectNode json = report.json();
    TextTable out = report.table();
    json.put("time", plan.now().toString()).put("snapshotRoot", plan.options().root());
    out.text("time", plan.now().toString()).text("snapshot root", plan.options().root());
    report.list("warnings", "warning", plan.warnings());
    policy(json.putArray("policy"), out);
    ArrayNode tables = json.putArray("tables");
    plan.tables().forEach(table -> table(table, tables.addObject(), out));
    all(json.putObject("all"), out);
    out.text("space comes back", SPACE).text("", MERGED);
    Tier.SETTINGS.forEach((key, otherwise) -> out.text("", "not set, " + key + ": " + otherwise));
    json.put("booksClose", plan.booksClose());
    out.text("books", plan.booksClose() ? "close" : "do not close");
    return report;
  }

  private void policy(ArrayNode json, TextTable out) {
    List<Entry> entries = plan.options().policy().entries();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      ObjectNode node = json.addObject().put("match", entry.match());
      ArrayNode tiers = node.putArray("tiers");
      out.text("policy " + (i + 1), entry.match());
      for (Map.Entry<String, Long> before : plan.before().get(i).entrySet()) {
        int days = entry.keep().getOrDefault(before.getKey(), 0);
        String time = Instant.ofEpochSecond(before.getValue()).toString();
        ObjectNode tier = tiers.addObject().put("table", before.getKey());
        tier.put("keepDays", days).put("goesBefore", time);
        out.text("", "%s: %s days, goes before %s".formatted(before.getKey(), days, time));
        Amount amount = plan.table(before.getKey()).entries().get(i);
        amount(amount, tier);
        lines(amount, out);
        if (!plan.proofs().isEmpty()) {
          Proofs proofs = plan.proofs().get(i).get(before.getKey());
          proofs(Objects.requireNonNull(proofs), tier.putObject("proofs"), out);
        }
      }
      if (entry.idle() > 0) {
        node.put("idleDays", entry.idle());
        out.text("", "idle: %s days; %s".formatted(entry.idle(), IDLE));
      }
    }
  }

  /** Which days of a table could go, and have a proof. */
  private static void proofs(Proofs proofs, ObjectNode json, TextTable out) {
    proofs(proofs.proven(), "proven", json, out);
    proofs(proofs.tooOld(), "tooOld", json, out);
    proofs(proofs.missing(), "missing", json, out);
  }

  private static void proofs(SortedSet<Integer> days, String key, ObjectNode json, TextTable out) {
    ArrayNode dates = json.putArray(key);
    days.forEach(day -> dates.add(date(day)));
    out.count("", "proofs: " + TextTable.words(key) + ", days", days.size());
    if (!days.isEmpty()) {
      out.text("", "  " + ranges(days));
    }
  }

  /** Days as dates, those without a gap between as one range. */
  static String ranges(SortedSet<Integer> days) {
    List<String> ranges = new ArrayList<>();
    for (int day : days) {
      if (!days.contains(day - 1)) {
        int last = day;
        while (days.contains(last + 1)) {
          last++;
        }
        ranges.add(last == day ? date(day) : date(day) + " to " + date(last));
      }
    }
    return String.join(", ", ranges);
  }

  private void table(Table table, ObjectNode json, TextTable out) {
    TableBytes bytes = table.bytes();
    String snapshot = table.tier().snapshot().name();
    String time = Instant.ofEpochMilli(table.tier().snapshot().creationTime()).toString();
    json.put("table", table.tier().name()).put("name", table.tier().snapshot().table());
    json.put("snapshot", snapshot).put("snapshotTime", time);
    json.put("hfiles", bytes.hfiles);
    json.putObject("books")
        .put("hfiles", bytes.hfileBytes)
        .put("metricsAndDays", table.all().bytes)
        .put("unknownMetrics", bytes.unknown)
        .put("otherRegions", bytes.outside)
        .put("overhead", bytes.overhead())
        .put("close", bytes.closes());
    out.text(
            "table " + table.tier().name(),
            "%s, snapshot %s of %s".formatted(table.tier().snapshot().table(), snapshot, time))
        .count("", "HFiles", bytes.hfiles)
        .count("", "bytes of all HFiles", bytes.hfileBytes)
        .count("", "  of metrics and days", table.all().bytes)
        .count("", "  of metrics without a name", bytes.unknown)
        .count("", "  of other regions", bytes.outside)
        .count("", "  indexes, Bloom filters, metadata", bytes.overhead());
    amount(table.all(), json);
    lines(table.all(), out);
    json.putObject("straddling")
        .put("bytes", bytes.straddling)
        .put("share", share(bytes.straddling, bytes.blocks))
        .put("uncertain", bytes.uncertain);
    out.count("exact to", "bytes over an end of a day or metric", bytes.straddling)
        .text("", percent(bytes.straddling, bytes.blocks) + " of the table")
        .count("", "  over an end of what would go", bytes.uncertain);
    space(table, json.putObject("space"), out);
    metrics(table, json, out);
    ArrayNode days = json.putArray("days");
    String group = "by day";
    for (Map.Entry<Integer, Amount> day : table.days().entrySet()) {
      ObjectNode node = days.addObject().put("day", date(day.getKey()));
      amount(day.getValue(), node.put("bytes", day.getValue().bytes));
      out.count(group, date(day.getKey()) + fate(day.getValue()), day.getValue().bytes);
      group = "";
    }
  }

  /** What HBase has to do before the bytes are free, and what the table itself says of it. */
  private static void space(Table table, ObjectNode json, TextTable out) {
    TableBytes bytes = table.bytes();
    int regions = table.tier().snapshot().regions().size();
    json.put("regions", regions)
        .put("toCompact", bytes.regionsToCompact())
        .put("emptied", bytes.regionsEmptied());
    out.count("space", "regions", regions)
        .count("", "  to be compacted: something could go", bytes.regionsToCompact())
        .count("", "  of these emptied: all could go", bytes.regionsEmptied());
    ObjectNode settings = json.putObject("settings");
    Tier.SETTINGS.forEach(
        (key, otherwise) -> {
          String value = table.tier().settings().get(key);
          settings.put(key, value);
          out.text("", key + ": " + (value == null ? "not set here" : value));
        });
  }

  private void metrics(Table table, ObjectNode json, TextTable out) {
    ArrayNode array = json.putArray("metrics");
    Amount others = new Amount();
    int shown = Math.min(plan.options().top(), table.metrics().size());
    for (int i = 0; i < table.metrics().size(); i++) {
      Metric metric = table.metrics().get(i);
      if (i >= shown) {
        others.add(metric.amount());
        continue;
      }
      out.count(
          i == 0 ? "by metric" : "", metric.name() + fate(metric.amount()), metric.amount().bytes);
      ObjectNode node = array.addObject().put("metric", metric.name());
      node.put("policy", metric.entry() + 1).put("bytes", metric.amount().bytes);
      amount(metric.amount(), node);
      days(metric.days(), node.putArray("days"));
    }
    int rest = table.metrics().size() - shown;
    ObjectNode node = json.putObject("otherMetrics").put("metrics", rest);
    amount(others, node.put("bytes", others.bytes));
    if (rest > 0) {
      out.count("", rest + " others" + fate(others), others.bytes);
    }
  }

  private static void days(StoredBytes.Days days, ArrayNode array) {
    for (int day = days.first(); day < days.first() + days.days(); day++) {
      long bytes = days.of(day, StoredBytes.BYTES);
      long more = days.of(day, StoredBytes.MAYBE_MORE);
      if (bytes > 0 || more > 0) {
        array
            .addObject()
            .put("day", date(day))
            .put("bytes", bytes)
            .put("mayBeLess", days.of(day, StoredBytes.MAYBE_LESS))
            .put("mayBeMore", more);
      }
    }
  }

  private void all(ObjectNode json, TextTable out) {
    Amount sum = plan.sum();
    amount(sum, json.put("bytes", sum.bytes));
    json.put("uncertain", plan.uncertain());
    out.count("all tables", "bytes of metrics and days", sum.bytes);
    lines(sum, out);
    out.text("", "exact to %s of what could go".formatted(percent(plan.uncertain(), sum.goes)));
    Double saved = plan.price(sum.goes);
    Double more = plan.price(sum.nextMonth);
    if (saved != null && more != null) {
      json.put("savedAMonth", saved).put("savedMoreEachMonth", more);
      out.text(
          "saved a month", "%s, and %s more with each month".formatted(money(saved), money(more)));
    }
  }

  private static void amount(Amount amount, ObjectNode json) {
    json.put("couldGo", amount.goes).put("goesNextMonth", amount.nextMonth);
  }

  private static void lines(Amount amount, TextTable out) {
    out.count("", "could go", amount.goes)
        .count("", "would go in the next 30 days", amount.nextMonth);
  }

  /** What is said of a day or a metric all of whose bytes, or some, could go. */
  private static String fate(Amount amount) {
    if (amount.goes == 0) {
      return "";
    }
    return amount.goes == amount.bytes
        ? ", could go"
        : ", of which %s could go".formatted(percent(amount.goes, amount.bytes));
  }

  static String date(int day) {
    return LocalDate.ofEpochDay(day).toString();
  }

  static String money(double amount) {
    return String.format(Locale.ROOT, "%,.2f", amount);
  }

  static String percent(long part, long all) {
    return String.format(Locale.ROOT, "%.2f %%", PERCENT * share(part, all));
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }
}
