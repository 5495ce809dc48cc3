package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.job.page.BarChart;
import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Mark;
import io.tsdbsuite.job.page.Blocks.Row;
import io.tsdbsuite.job.page.Colour;
import io.tsdbsuite.job.page.ColumnChart;
import io.tsdbsuite.job.page.Element;
import io.tsdbsuite.job.page.HtmlPage;
import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.rollup.tiers.Policy.Entry;
import io.tsdbsuite.rollup.tiers.TiersPlan.Amount;
import io.tsdbsuite.rollup.tiers.TiersPlan.Metric;
import io.tsdbsuite.rollup.tiers.TiersPlan.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A plan as an HTML page: bytes by age and by metric, and what could go of each tier. */
public record TiersPage(TiersPlan plan) {
  private static final int LABELS = 380;

  /** The page. */
  public String html() {
    HtmlPage page = new HtmlPage("rollup-job tiers plan");
    page.heading("What a policy would let go")
        .note("rollup-job tiers plan, %s (UTC), %s".formatted(plan.now(), plan.options().root()));
    plan.warnings().forEach(warning -> page.text("Warning: " + warning));
    page.tiles(tiles());
    tiers(page);
    proofs(page);
    plan.tables().forEach(table -> table(page, table));
    space(page);
    books(page);
    return page.html();
  }

  private List<Element> tiles() {
    Amount sum = plan.sum();
    List<Element> tiles = new ArrayList<>();
    tiles.add(tile(sum.bytes, "bytes of metrics and days"));
    tiles.add(
        tile(sum.goes, "could go, exact to " + TiersReport.percent(plan.uncertain(), sum.goes)));
    tiles.add(tile(sum.nextMonth, "would go in the next 30 days"));
    Double saved = plan.price(sum.goes);
    if (saved != null) {
      tiles.add(Blocks.tile(TiersReport.money(saved), "saved a month"));
    }
    boolean closes = plan.booksClose();
    tiles.add(Blocks.tile(closes ? "close" : "do not close", "books", closes));
    return tiles;
  }

  private static Element tile(long bytes, String text) {
    return Blocks.tile(size(bytes), text);
  }

  private static String size(long bytes) {
    return Numbers.shortened((double) bytes) + "B";
  }

  /** What could go of each table by each entry. */
  private void tiers(HtmlPage page) {
    page.section("By tier");
    BarChart chart = new BarChart("bytes that could go by entry and table", LABELS);
    List<Row> rows = new ArrayList<>();
    List<Entry> entries = plan.options().policy().entries();
    for (int i = 0; i < entries.size(); i++) {
      for (Table table : plan.tables()) {
        String name = table.tier().name();
        Long before = plan.before().get(i).get(name);
        if (before != null) {
          Amount amount = table.entries().get(i);
          chart.bar(
              entries.get(i).match() + ", " + name,
              (double) amount.goes,
              size(amount.goes),
              Colour.FIRST);
          rows.add(
              Row.of(
                  entries.get(i).match(),
                  name,
                  entries.get(i).keep().get(name) + " days",
                  Instant.ofEpochSecond(before).toString(),
                  Numbers.grouped(amount.bytes),
                  Numbers.grouped(amount.goes),
                  Numbers.grouped(amount.nextMonth)));
        }
      }
    }
    page.card(chart.svg())
        .card(
            Blocks.table(
                List.of(
                    "match", "table", "kept", "goes before", "bytes", "could go", "next 30 days"),
                rows));
  }

  private void table(HtmlPage page, Table table) {
    String name = table.tier().name();
    ColumnChart age = new ColumnChart("bytes by day, " + name);
    if (!table.days().isEmpty()) {
      // A day without data is a gap of the plot, too.
      for (int day = table.days().firstKey(); day <= table.days().lastKey(); day++) {
        long bytes = table.days().getOrDefault(day, new Amount()).bytes;
        age.column(TiersReport.date(day), (double) bytes, Numbers.grouped(bytes) + " bytes");
      }
    }
    BarChart metrics = new BarChart("bytes by metric, " + name, LABELS);
    for (Metric metric :
        table.metrics().subList(0, Math.min(plan.options().top(), table.metrics().size()))) {
      bar(metrics, metric.name(), metric.amount().bytes - metric.amount().goes, Colour.FIRST);
      bar(metrics, "could go", metric.amount().goes, Colour.SECOND);
    }
    page.section("Table " + name)
        .note(
            "%s, snapshot %s"
                .formatted(table.tier().snapshot().table(), table.tier().snapshot().name()))
        .card(age.svg())
        .card(
            Blocks.legend(
                List.of(new Mark("stays", Colour.FIRST), new Mark("could go", Colour.SECOND))),
            metrics.svg())
        .note(
            "%s bytes (%s) are in blocks over an end of a day or metric and count for the first of"
                    .formatted(
                        Numbers.grouped(table.bytes().straddling),
                        TiersReport.percent(table.bytes().straddling, table.bytes().blocks))
                + " both.");
  }

  private static void bar(BarChart chart, String label, long bytes, Colour colour) {
    chart.bar(label, (double) bytes, size(bytes), colour);
  }

  /** The days that could go, by their proofs. */
  private void proofs(HtmlPage page) {
    if (plan.proofs().isEmpty()) {
      return;
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < plan.proofs().size(); i++) {
      String match = plan.options().policy().entries().get(i).match();
      plan.proofs()
          .get(i)
          .forEach(
              (table, proofs) ->
                  rows.add(
                      Row.of(
                          match,
                          table,
                          TiersReport.ranges(proofs.proven()),
                          TiersReport.ranges(proofs.tooOld()),
                          TiersReport.ranges(proofs.missing()))));
    }
    page.section("Proofs")
        .card(Blocks.texts(List.of("match", "table", "proven", "too old", "missing"), rows));
  }

  /** What HBase has to do before the bytes are free. */
  private void space(HtmlPage page) {
    List<String> head =
        new ArrayList<>(List.of("table", "regions", "to be compacted", "of these emptied"));
    head.addAll(Tier.SETTINGS.keySet());
    List<Row> rows = new ArrayList<>();
    for (Table table : plan.tables()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  table.tier().name(),
                  Numbers.grouped(table.tier().snapshot().regions().size()),
                  Numbers.grouped(table.bytes().regionsToCompact()),
                  Numbers.grouped(table.bytes().regionsEmptied())));
      Tier.SETTINGS
          .keySet()
          .forEach(key -> cells.add(table.tier().settings().getOrDefault(key, "not set here")));
      rows.add(Row.of(cells.toArray(String[]::new)));
    }
    page.section("Space")
        .note("Space comes back " + TiersReport.SPACE + "; " + TiersReport.MERGED + ".")
        .card(Blocks.texts(head, rows));
    Tier.SETTINGS.forEach(
        (key, otherwise) -> page.note("Not set, " + key + ": " + otherwise + "."));
  }

  private void books(HtmlPage page) {
    List<Row> rows = new ArrayList<>();
    for (Table table : plan.tables()) {
      TableBytes bytes = table.bytes();
      rows.add(
          Row.of(
              table.tier().name(),
              Numbers.grouped(bytes.hfileBytes),
              Numbers.grouped(table.all().bytes),
              Numbers.grouped(bytes.unknown),
              Numbers.grouped(bytes.outside),
              Numbers.grouped(bytes.overhead())));
    }
    page.section("Books")
        .card(
            Blocks.table(
                List.of(
                    "table",
                    "all HFiles",
                    "metrics and days",
                    "metrics without a name",
                    "other regions",
                    "indexes and filters"),
                rows));
  }
}
