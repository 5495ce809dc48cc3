package io.tsdbsuite.query.http;

import java.util.List;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.query.filter.TagVFilter;

/** A sub-query as the parameter {@code m} has it: {@code sum:1h-avg:cpu{host=literal_or(a)}}. */
public final class QueryText {
  private static final int MAX_LENGTH = 500;

  private QueryText() {}

  /** The text; cut where it is too long for a list. */
  public static String of(TSSubQuery query) {
    StringBuilder text = new StringBuilder(String.valueOf(query.getAggregator()));
    if (query.getDownsample() != null && !query.getDownsample().isEmpty()) {
      text.append(':').append(query.getDownsample());
    }
    if (query.getRate()) {
      text.append(":rate");
    }
    text.append(':');
    List<String> tsuids = query.getTsuids();
    if (tsuids != null && !tsuids.isEmpty()) {
      text.append("tsuids ")
          .append(String.join(",", tsuids.subList(0, Math.min(20, tsuids.size()))));
    } else {
      text.append(query.getMetric());
      List<TagVFilter> filters = query.getFilters();
      if (filters != null && !filters.isEmpty()) {
        text.append('{').append(filters(filters, true)).append('}');
        String others = filters(filters, false);
        if (!others.isEmpty()) {
          text.append('{').append(others).append('}');
        }
      }
    }
    return text.length() <= MAX_LENGTH ? text.toString() : text.substring(0, MAX_LENGTH) + "...";
  }

  private static String filters(List<TagVFilter> filters, boolean groupBy) {
    StringBuilder text = new StringBuilder();
    for (TagVFilter filter : filters) {
      if (filter.isGroupBy() == groupBy && text.length() <= MAX_LENGTH) {
        text.append(text.length() == 0 ? "" : ",").append(filter.getTagk()).append('=');
        text.append(filter.getType()).append('(').append(filter.getFilter()).append(')');
      }
    }
    return text.toString();
  }
}
