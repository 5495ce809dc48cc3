package io.tsdbsuite.bench.query;

import io.tsdbsuite.bench.measure.MarkdownTables;
import io.tsdbsuite.bench.measure.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The figures as tables: a row for each query, the ways beside each other. */
final class QueryTables {
  private static final double LIMIT = 1.05;
  private static final double YEAR_MILLIS = 100;

  private final Report report;
  private final int few;
  private final int many;
  private final MarkdownTables costs = new MarkdownTables();
  private String loaded = "";
  private double worstRatio;
  private double slowestYear;
  private int wrong;

  QueryTables(Report report, int few, int many) {
    this.report = report;
    this.few = few;
    this.many = many;
    report
        .tables()
        .table(
            "Query",
            "Stock, ms",
            "Split, ms",
            "Plugin, ms",
            "Raw data, ms",
            "Plugin : stock",
            "The plugin has read");
    costs.table(
        "Query",
        "KB read: stock",
        "Split",
        "Plugin",
        "Raw data",
        "Cells: plugin",
        "CPU ms of TSD + HBase: stock",
        "Split",
        "Plugin",
        "Raw data");
  }

  Report report() {
    return report;
  }

  /** The name of a query in the tables. */
  String name(QueryCase query) {
    return String.format(
        Locale.ROOT,
        "%s, `%s%s`, %,d series%s",
        query.name(),
        query.function(),
        query.filter(),
        query.metric().equals(QueryServers.FEW) ? few : many,
        query.notes() ? "" : ", no annotations");
  }

  /** Notes how long the data took, seconds. */
  void loaded(double seconds) {
    loaded = Report.number(seconds) + " s to write the data";
    System.out.println(loaded);
  }

  /**
   * Adds a row to each table.
   *
   * @param ways those that were measured, the plugin among them
   * @param cells cells that the plugin has read in all its queries
   */
  void add(QueryCase query, List<Figures> ways, long cells) {
    Map<String, Figures> byName = new LinkedHashMap<>();
    ways.forEach(way -> byName.put(way.way().name(), way));
    Figures plugin = byName.get(Way.PLUGIN);
    if (plugin == null) {
      throw new IllegalArgumentException("the plugin must be measured, found " + byName.keySet());
    }
    long cellsOfQuery = Math.round((double) cells / plugin.asked());
    double ratio = ratio(byName.get(Way.STOCK), plugin);
    worstRatio = Math.max(worstRatio, ratio);
    wrong += plugin.difference().isEmpty() ? 0 : 1;
    if (query.isFastYear() && query.metric().equals(QueryServers.FEW)) {
      slowestYear = Math.max(slowestYear, plugin.millis());
    }
    List<String> times = new ArrayList<>(List.of(name(query)));
    times.addAll(each(byName, QueryTables::time));
    times.add(ratio > 0 ? String.format(Locale.ROOT, "%.2f", ratio) : "-");
    times.add(plugin.reply().read());
    report.tables().row(times.toArray(String[]::new));
    List<String> cost = new ArrayList<>(List.of(name(query)));
    cost.addAll(each(byName, way -> Report.number(way.kilobytes())));
    cost.add(Report.number((double) cellsOfQuery));
    cost.addAll(
        each(
            byName,
            way ->
                Report.tenths(way.tsdCpuMillis()) + " + " + Report.tenths(way.hbaseCpuMillis())));
    costs.row(cost.toArray(String[]::new));
    ways.forEach(way -> figure(query, way, way.equals(plugin) ? cellsOfQuery : null));
  }

  /** The plugin's time over stock's; 0 if stock's answer is missing or wrong. */
  private static double ratio(@Nullable Figures stock, Figures plugin) {
    return stock == null || !stock.difference().isEmpty() ? 0 : plugin.millis() / stock.millis();
  }

  private static List<String> each(Map<String, Figures> ways, Function<Figures, String> text) {
    return Way.NAMES.stream()
        .map(ways::get)
        .map(way -> way == null ? "-" : text.apply(way))
        .toList();
  }

  private static String time(Figures way) {
    String difference = way.difference().isEmpty() ? "" : " (" + way.difference() + ")";
    return Report.tenths(way.millis()) + difference;
  }

  private void figure(QueryCase query, Figures way, @Nullable Long cells) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("query", name(query));
    values.put("way", way.way().name());
    values.put("asked", way.asked());
    values.put("millis", way.millis());
    values.put("tsdCpuMillis", way.tsdCpuMillis());
    values.put("hbaseCpuMillis", way.hbaseCpuMillis());
    values.put("kilobytesRead", way.kilobytes());
    if (cells != null) {
      values.put("cells", cells);
      values.put("read", way.reply().read());
    }
    values.put("difference", way.difference());
    report.figure("queries", values);
  }

  String markdown() {
    report.atMost("plugin's time over stock's, where stock is right", "", LIMIT, worstRatio);
    report.atMost(
        "a year of 1d-avg, 6h-avg and 0all-avg, 20 series", " ms", YEAR_MILLIS, slowestYear);
    report.atMost("answers of the plugin that differ from raw data", "", 0, wrong);
    return report.head() + "; " + loaded + ".\n\n" + report.markdown() + costs.markdown();
  }
}
