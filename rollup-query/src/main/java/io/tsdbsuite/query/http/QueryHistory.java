package io.tsdbsuite.query.http;

import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;

/** The heaviest queries of the last hour, and the last ones that were stopped. Thread-safe. */
public final class QueryHistory {
  private static final int KEPT = 20;
  private static final int MAX_SUB_QUERIES = 10;
  private static final int MAX_CLIENT = 100;
  private static final int MAX_NOTES = 500;
  private static final long HOUR = 3_600_000;

  private final LongSupplier clock;
  private final List<Entry> heavy = new ArrayList<>();
  private final List<Entry> refused = new ArrayList<>();

  /**
   * @param clock milliseconds since the epoch
   */
  public QueryHistory(LongSupplier clock) {
    this.clock = clock;
  }

  private static final class Entry {
    private final long time;
    private final long cells;
    private final Map<String, Object> fields;

    Entry(long time, long cells, Map<String, Object> fields) {
      this.time = time;
      this.cells = cells;
      this.fields = fields;
    }
  }

  /**
   * A query has ended.
   *
   * @param outcome as in the statistics
   * @param millis until its end
   */
  void ended(String client, TSQuery query, String outcome, QueryContext context, long millis) {
    long now = clock.getAsLong();
    long cells = context.cells();
    boolean stopped = isByLimit(outcome);
    synchronized (this) {
      heavy.removeIf(each -> now - each.time > HOUR);
      boolean isHeavy =
          cells > 0 && (heavy.size() < KEPT || cells > heavy.get(heavy.size() - 1).cells);
      if (!isHeavy && !stopped) {
        return;
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("time", now);
      fields.put("client", cut(client, MAX_CLIENT));
      fields.put("outcome", outcome);
      fields.put("start", query.startTime());
      fields.put("end", query.endTime());
      fields.put("queries", texts(query));
      fields.put("cells", cells);
      fields.put("bytes", context.bytes());
      fields.put("millis", millis);
      fields.put("read", cut(String.join(" | ", context.notes()), MAX_NOTES));
      Entry entry = new Entry(now, cells, fields);
      if (isHeavy) {
        heavy.add(entry);
        heavy.sort(Comparator.comparingLong((Entry each) -> each.cells).reversed());
        if (heavy.size() > KEPT) {
          heavy.remove(KEPT);
        }
      }
      if (stopped) {
        refused.add(0, entry);
        if (refused.size() > KEPT) {
          refused.remove(KEPT);
        }
      }
    }
  }

  private static boolean isByLimit(String outcome) {
    for (AbortReason reason : AbortReason.values()) {
      if (reason.tag().equals(outcome)) {
        return reason != AbortReason.CLIENT_GONE;
      }
    }
    return false;
  }

  private static List<String> texts(TSQuery query) {
    List<String> texts = new ArrayList<>();
    List<TSSubQuery> subs = query.getQueries();
    for (TSSubQuery each : subs.subList(0, Math.min(MAX_SUB_QUERIES, subs.size()))) {
      texts.add(QueryText.of(each));
    }
    if (subs.size() > texts.size()) {
      texts.add((subs.size() - texts.size()) + " more");
    }
    return texts;
  }

  private static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length) + "...";
  }

  /** Those with the most cells first. */
  public synchronized List<Object> heavy() {
    long now = clock.getAsLong();
    heavy.removeIf(each -> now - each.time > HOUR);
    return fields(heavy);
  }

  /** The newest first. */
  public synchronized List<Object> refused() {
    return fields(refused);
  }

  private static List<Object> fields(List<Entry> entries) {
    List<Object> fields = new ArrayList<>();
    entries.forEach(each -> fields.add(each.fields));
    return fields;
  }
}
