package io.tsdbsuite.bench.query;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.measure.MarkdownTables;
import io.tsdbsuite.bench.measure.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The figures as tables: a row for each query, the ways beside each other. */
final class QueryTables {
  private static final double LIMIT = 1.05;
  private static final double YEAR_MILLIS = 100;
  private static final double P99_LIMIT = 2;

  private final Report report;
  private final int few;
  private final int many;
  private final MarkdownTables costs = new MarkdownTables();
  private final MarkdownTables dashboards = new MarkdownTables();
  private String loaded = "";
  private String refused = "";
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
        "%s, `%s%s`, %,d series",
        query.name(),
        query.function(),
        query.filter(),
        query.metric().equals(QueryServers.FEW) ? few : many);
  }

  /** Notes how long the data took, seconds. */
  void loaded(double seconds) {
    loaded = Report.number(seconds) + " s to write the data";
    System.out.println(loaded);
  }

  /** Adds a row to each table: those ways that were measured, the plugin among them. */
  void add(QueryCase query, List<Result> ways) {
    Map<String, Result> byName = new LinkedHashMap<>();
    for (Result way : ways) {
      byName.put(way.way(), way);
      Map<String, Object> figure = new LinkedHashMap<>(Map.of("query", name(query)));
      figure.putAll(
          new ObjectMapper().convertValue(way, new TypeReference<Map<String, Object>>() {}));
      report.figure("queries", figure);
    }
    Result plugin = Objects.requireNonNull(byName.get(Way.PLUGIN));
    double ratio = ratio(byName.get(Way.STOCK), plugin);
    worstRatio = Math.max(worstRatio, ratio);
    wrong += plugin.difference().isEmpty() ? 0 : 1;
    if (query.isFastYear() && query.metric().equals(QueryServers.FEW)) {
      slowestYear = Math.max(slowestYear, plugin.millis());
    }
    List<String> times = new ArrayList<>(List.of(name(query)));
    times.addAll(each(byName, QueryTables::time));
    times.add(ratio > 0 ? String.format(Locale.ROOT, "%.2f", ratio) : "-");
    times.add(plugin.read());
    report.tables().row(times.toArray(String[]::new));
    List<String> cost = new ArrayList<>(List.of(name(query)));
    cost.addAll(each(byName, way -> Report.number(way.kilobytes())));
    cost.add(Report.number((double) plugin.cells()));
    cost.addAll(
        each(
            byName,
            way ->
                Report.tenths(way.tsdCpuMillis()) + " + " + Report.tenths(way.hbaseCpuMillis())));
    costs.row(cost.toArray(String[]::new));
  }

  /** Adds dashboards that were measured alone and beside heavy queries. */
  void add(Dashboards.Load alone, Dashboards.Load beside) {
    dashboards.table("Dashboards", "Queries", "Median, ms", "p99, ms", "Heavy", "Refused");
    dashboard("alone", alone);
    dashboard("beside " + Dashboards.HEAVY + " clients with heavy queries", beside);
    report.atMost(
        "dashboards' p99 beside heavy queries over that alone",
        "",
        P99_LIMIT,
        beside.p99() / alone.p99());
    report.atMost("heavy queries that were not refused", "", 0, beside.heavy() - beside.refused());
    refused = "\nA heavy query's answer: `" + beside.message() + "`\n";
  }

  private void dashboard(String name, Dashboards.Load load) {
    dashboards.row(
        name,
        Report.number(load.asked()),
        Report.tenths(load.median()),
        Report.tenths(load.p99()),
        Report.number(load.heavy()),
        Report.number(load.refused()));
    report.figure(
        "dashboards",
        new ObjectMapper().convertValue(load, new TypeReference<Map<String, Object>>() {}));
  }

  /** The plugin's time over stock's; 0 if an answer of them is missing or wrong. */
  private static double ratio(@Nullable Result stock, Result plugin) {
    return stock == null || !stock.difference().isEmpty() || !plugin.difference().isEmpty()
        ? 0
        : plugin.millis() / stock.millis();
  }

  private static List<String> each(Map<String, Result> ways, Function<Result, String> text) {
    return Way.NAMES.stream()
        .map(ways::get)
        .map(way -> way == null ? "-" : text.apply(way))
        .toList();
  }

  private static String time(Result way) {
    String difference = way.difference().isEmpty() ? "" : " (" + way.difference() + ")";
    return Report.tenths(way.millis()) + difference;
  }

  String markdown() {
    report.atMost("plugin's time over stock's, where stock is right", "", LIMIT, worstRatio);
    report.atMost(
        "a year of 1d-avg, 6h-avg and 0all-avg, 20 series", " ms", YEAR_MILLIS, slowestYear);
    report.atMost("answers of the plugin that differ from raw data", "", 0, wrong);
    return report.head()
        + "; "
        + loaded
        + ".\n\n"
        + report.markdown()
        + costs.markdown()
        + dashboards.markdown()
        + refused;
  }
}
