package io.tsdbsuite.query.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.FillPolicy;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.utils.DateTime;

/** Intervals that a user may ask for instead: those of Grafana's automatic interval, and 7d. */
final class Downsamplers {
  private static final String[] INTERVALS = {
    "1m", "5m", "10m", "15m", "30m", "1h", "2h", "3h", "6h", "12h", "1d", "7d", "30d"
  };

  private Downsamplers() {}

  /**
   * Those that are wider, the narrowest first, with the same function, fill policy and calendar:
   * {@code 6h-avg}, {@code 6h-avg-zero}, {@code 6hc-avg}. None for {@code 0all}.
   */
  static List<String> wider(DownsamplingSpecification than) {
    return others(than, true);
  }

  /** Those that are narrower, the widest first, as {@link #wider}. */
  static List<String> narrower(DownsamplingSpecification than) {
    List<String> narrower = others(than, false);
    Collections.reverse(narrower);
    return narrower;
  }

  private static List<String> others(DownsamplingSpecification than, boolean wider) {
    List<String> others = new ArrayList<>();
    String rest = (than.useCalendar() ? "c-" : "-") + than.getFunction();
    if (than.getFillPolicy() != FillPolicy.NONE) {
      rest += "-" + than.getFillPolicy().getName();
    }
    for (String interval : INTERVALS) {
      int more =
          Long.compare(
              new DownsamplingSpecification(interval + rest).getInterval(), than.getInterval());
      if (than.getInterval() > 0 && (wider ? more > 0 : more < 0)) {
        others.add(interval + rest);
      }
    }
    return others;
  }

  /** Averages over intervals of at least this width, milliseconds, the narrowest first. */
  static List<String> avg(long width) {
    List<String> averages = new ArrayList<>();
    for (String interval : INTERVALS) {
      if (new DownsamplingSpecification(interval + "-avg").getInterval() >= width) {
        averages.add(interval + "-avg");
      }
    }
    return averages;
  }

  /** Gives a sub-query another downsampler, as {@link TSQuery#validateAndSetQuery} would. */
  static void replace(TSQuery query, int index, String downsample) {
    TSSubQuery sub = query.getQueries().get(index);
    sub.setDownsample(downsample);
    sub.validateAndSetQuery();
    of(sub.downsamplingSpecification(), query);
  }

  /** The specification, with the time zone and the calendar of a query. */
  static DownsamplingSpecification of(String text, TSQuery query) {
    return of(new DownsamplingSpecification(text), query);
  }

  private static DownsamplingSpecification of(DownsamplingSpecification spec, TSQuery query) {
    String zone = query.getTimezone();
    if (zone != null && !zone.isEmpty()) {
      spec.setTimezone(DateTime.timezones.get(zone));
    }
    if (query.getUseCalendar()) {
      spec.setUseCalendar(true);
    }
    return spec;
  }
}
