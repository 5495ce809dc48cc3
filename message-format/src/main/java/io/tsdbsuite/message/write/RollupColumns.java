package io.tsdbsuite.message.write;

import io.tsdbsuite.message.IntervalText;
import io.tsdbsuite.message.MessageTypes;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the rollups of one object of version 3: of one interval, ascending in time, and with the
 * same names of values, without histograms. One rollup alone becomes an object of version 1 or 2.
 * Not thread-safe.
 */
final class RollupColumns {
  private static final byte[] AT = JsonText.ascii(",\"at\":[");
  private static final byte[] VALUES = JsonText.ascii(",\"values\":{\"");
  private static final byte[] COLUMN = JsonText.ascii("\":[");
  private static final byte[] NEXT = JsonText.ascii("],\"");
  private static final byte[] VALUES_END = JsonText.ascii("]}");
  private static final byte[] GONE = JsonText.ascii(",\"gone\":[");
  private static final byte[][] FOUR = names(Arrays.asList("sum", "min", "max", "count"));
  private static final int SUM = 0;
  private static final int MIN = 1;
  private static final int MAX = 2;
  private static final int COUNT = 3;

  private final JsonText at = new JsonText();
  private final JsonText gone = new JsonText();

  /** The texts of the values of each name, separated by commas. */
  private JsonText[] columns = {};

  /** The first rollup, from which the object is written as long as it is alone. */
  private final RollupValues first = new RollupValues();

  private String interval = "";
  private long seconds;
  private long start;
  private long last;
  private int size;

  /** Number of rollups that are no deletion. */
  private int valued;

  /** The further names of those; null before the first one. */
  private @Nullable List<String> further;

  /** {@link #furtherNames} are these. */
  private List<String> encoded = Collections.emptyList();

  private byte[][] furtherNames = {};

  private static byte[][] names(List<String> names) {
    return names.stream().map(JsonText::ascii).toArray(byte[][]::new);
  }

  /** Removes all rollups. */
  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Bytes of the values, about. */
  int length() {
    if (size < 2) {
      return 0;
    }
    int length = at.length() + gone.length();
    for (JsonText column : columns) {
      length += column.length();
    }
    return length;
  }

  /** Whether a rollup may follow those in the object; not if it is empty. */
  boolean takes(long timestamp, String ofInterval, RollupValues values) {
    if (size == 0 || seconds == 0 || timestamp <= last || !interval.equals(ofInterval)) {
      return false;
    }
    long distance = timestamp - start;
    List<String> names = further;
    return distance % seconds == 0
        && distance / seconds < MessageTypes.MAX_SLOTS
        && (!values.hasValues() || names == null || names.equals(values.names()));
  }

  /** Adds a rollup that the object {@link #takes}, or its first one. */
  void add(long timestamp, String ofInterval, RollupValues values) {
    if (size == 0) {
      if (!interval.equals(ofInterval)) {
        interval = ofInterval;
        seconds = IntervalText.seconds(interval);
      }
      start = timestamp;
      valued = 0;
      further = null;
      first.set(values);
    } else {
      if (size == 1) {
        at.clear();
        gone.clear();
        for (JsonText column : columns) {
          column.clear();
        }
        append(0, first);
      }
      append((timestamp - start) / seconds, values);
    }
    if (values.hasValues()) {
      further = values.names();
    }
    last = timestamp;
    size++;
  }

  private void append(long slot, RollupValues values) {
    JsonText times = values.hasValues() ? at : gone;
    if (times.length() > 0) {
      times.raw(',');
    }
    times.number(slot);
    if (!values.hasValues()) {
      return;
    }
    List<String> names = values.names();
    if (!encoded.equals(names)) {
      encoded = names;
      furtherNames = names(names);
    }
    int n = FOUR.length + names.size();
    if (columns.length < n) {
      int before = columns.length;
      columns = Arrays.copyOf(columns, n);
      for (int i = before; i < n; i++) {
        columns[i] = new JsonText();
      }
    }
    if (valued++ > 0) {
      for (int i = 0; i < n; i++) {
        columns[i].raw(',');
      }
    }
    columns[SUM].number(values.sum());
    columns[MIN].number(values.min());
    columns[MAX].number(values.max());
    columns[COUNT].number(values.count());
    for (int i = FOUR.length; i < n; i++) {
      columns[i].number(values.further(i - FOUR.length));
    }
  }

  /** Writes the object; there is at least one rollup. */
  void write(JsonText text, RollupText rollup, byte[] series) {
    if (size == 1) {
      rollup.write(text, series, start, interval, first);
      return;
    }
    rollup.beginArrays(text);
    text.raw(series);
    rollup.time(text, start, interval);
    // Without it they are one interval after the other from the first on.
    if (valued > 0 && (last - start) / seconds != valued - 1) {
      text.raw(AT);
      text.raw(at);
      text.raw(']');
    }
    if (valued > 0) {
      text.raw(VALUES);
      for (int i = 0; i < FOUR.length + furtherNames.length; i++) {
        if (i > 0) {
          text.raw(NEXT);
        }
        text.raw(i < FOUR.length ? FOUR[i] : furtherNames[i - FOUR.length]);
        text.raw(COLUMN);
        text.raw(columns[i]);
      }
      text.raw(VALUES_END);
    }
    if (size > valued) {
      text.raw(GONE);
      text.raw(gone);
      text.raw(']');
    }
    text.raw('}');
  }
}
