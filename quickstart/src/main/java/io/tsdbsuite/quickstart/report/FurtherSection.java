package io.tsdbsuite.quickstart.report;

import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Row;
import io.tsdbsuite.job.page.Element;
import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.FurtherResult;
import java.util.ArrayList;
import java.util.List;

/** Queries that a stock TSD hardly answers from rollups, and those of the last days. */
final class FurtherSection {
  private final BenchmarkResults results;

  FurtherSection(BenchmarkResults results) {
    this.results = results;
  }

  List<Element> elements() {
    List<Row> rows = new ArrayList<>();
    String range = "";
    for (FurtherResult each : results.further()) {
      boolean first = !each.span().text().equals(range);
      range = each.span().text();
      rows.add(
          new Row(
              first,
              List.of(
                  first ? range : "",
                  each.query().text(),
                  Formats.millis(each.rawMillis()),
                  each.stock(),
                  Formats.millis(each.pluginMillis()),
                  each.reading().pieces(),
                  each.reading().cellsText(),
                  Numbers.grouped(each.comparison().points()),
                  Numbers.grouped(each.comparison().differences().size()))));
    }
    return List.of(
        Element.of("h2", "Further queries, and the last days"),
        Element.of(
            "p",
            "Each answer was compared with raw data; a time that comes twice is a difference. Of"
                + " the last days stream-rollup has made the rollups. No coverage proves them, so"
                + " the plugin reads raw data there; a stock TSD reads what is in the table."),
        Blocks.card(
            Blocks.table(
                List.of(
                    "range",
                    "query",
                    "raw data",
                    "stock TSD, ms",
                    "plugin",
                    "plugin reads",
                    "cells",
                    "compared",
                    "differences"),
                rows)));
  }
}
