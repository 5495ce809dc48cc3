package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.SeriesCheck;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.row.RowKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The series of a grouper: their names until they have UIDs, then their row keys. */
final class SeriesList {
  private static final int FIRST_ROOM = 256;
  private static final int OBJECT = 56;

  private final SeriesCheck check;
  private final SeriesTable table = new SeriesTable();

  /**
   * Names of each series in the order of their tags, with its number. The same as {@code table}
   * unless names are changed: then a text of the input may be another series' name.
   */
  private final SeriesTable canonicals;

  private int size;
  private int[] entries = new int[FIRST_ROOM];
  private int[] sources = new int[FIRST_ROOM];
  private @Nullable NewSeries[] named = new NewSeries[FIRST_ROOM];
  private @Nullable SeriesRow[] rows = new SeriesRow[FIRST_ROOM];
  private SeriesRow[] ranked = new SeriesRow[0];
  private int[] starts = new int[0];
  private int resolved;
  private int groups;
  private int places;
  private boolean twins;
  private long namedBytes;
  private long rowBytes;

  /** Hour and slot that each series had last, {@code hour << 32 | slot}; -1 for none. */
  long[] recent = new long[FIRST_ROOM];

  SeriesList(SeriesCheck check) {
    this.check = check;
    this.canonicals = check.changesNames() ? new SeriesTable() : table;
  }

  int size() {
    return size;
  }

  /** The number of a series, which is new if need be. */
  int number(SeriesText text) {
    int number = table.find(text);
    return number == SeriesTable.NONE ? firstSeen(text) : number;
  }

  private int firstSeen(SeriesText text) {
    NewSeries series = check.check(text);
    if (series.refusal() != null) {
      return add(table.add(text, size), series);
    }
    SeriesText canonical = canonical(series);
    if (canonicals == table && same(text, canonical)) {
      return add(table.add(text, size), series);
    }
    int number = canonicals.find(canonical);
    if (number != SeriesTable.NONE) {
      table.add(text, number);
      return number;
    }
    number = add(canonicals.add(canonical, size), series);
    sources[number] = table.add(text, number);
    return number;
  }

  private int add(int entry, NewSeries series) {
    if (size == entries.length) {
      int room = size * 2;
      entries = Arrays.copyOf(entries, room);
      sources = Arrays.copyOf(sources, room);
      named = Arrays.copyOf(named, room);
      rows = Arrays.copyOf(rows, room);
      recent = Arrays.copyOf(recent, room);
    }
    entries[size] = entry;
    sources[size] = entry;
    named[size] = series;
    recent[size] = -1;
    namedBytes += bytes(series);
    return size++;
  }

  private static SeriesText canonical(NewSeries series) {
    TreeMap<String, String> sorted = new TreeMap<>();
    for (int i = 0; i < series.tags().size(); i += 2) {
      sorted.put(series.tags().get(i), series.tags().get(i + 1));
    }
    StringBuilder tags = new StringBuilder();
    sorted.forEach((key, value) -> tags.append(' ').append(key).append('=').append(value));
    SeriesText text = new SeriesText();
    text.bytes = (series.metric() + tags).getBytes(StandardCharsets.UTF_8);
    text.metricLen = series.metric().getBytes(StandardCharsets.UTF_8).length;
    text.tagsOff = text.metricLen + 1;
    text.tagsLen = text.bytes.length - text.tagsOff;
    return text;
  }

  private static boolean same(SeriesText a, SeriesText b) {
    return Arrays.equals(a.bytes, a.metricOff, a.metricOff + a.metricLen, b.bytes, 0, b.metricLen)
        && Arrays.equals(
            a.bytes, a.tagsOff, a.tagsOff + a.tagsLen, b.bytes, b.tagsOff, b.bytes.length);
  }

  private static long bytes(NewSeries series) {
    long sum = 3L * OBJECT + series.metric().length();
    for (String name : series.tags()) {
      sum += OBJECT + name.length();
    }
    return sum;
  }

  /** Why the series cannot be loaded; null if nothing is known against it. */
  @Nullable SeriesRefusal refused(int number) {
    NewSeries series = named[number];
    return series == null ? null : series.refusal();
  }

  /** The names of a series that has no row key yet; null once it has. */
  @Nullable NewSeries named(int number) {
    return named[number];
  }

  /** Takes the row keys from a resolver. */
  void resolved(int number) {
    NewSeries series = named[number];
    byte[] template = series == null ? null : series.template();
    if (series != null && template != null) {
      rows[number] = new SeriesRow(template, number);
      rowBytes += 64 + template.length;
      resolved++;
      namedBytes -= bytes(series);
      named[number] = null;
    }
  }

  /** Whether a series has a row key. */
  boolean hasRow(int number) {
    return rows[number] != null;
  }

  /** The row key of a series that has one. */
  SeriesRow row(int number) {
    return rows[number];
  }

  /** Metric and tags, a blank between them. */
  byte[] names(int number) {
    return canonicals.names(entries[number]);
  }

  /** The same as text. */
  String namesText(int number) {
    return canonicals.namesText(entries[number]);
  }

  /** Metric and tags as the input has them first, a blank between them. */
  byte[] sourceNames(int number) {
    return table.names(sources[number]);
  }

  /** Sorts all series with row keys, and sets their ranks. */
  void rank(RowKey rowKey) {
    if (ranked.length == resolved) {
      return;
    }
    ranked = order();
    int prefix = rowKey.timeOffset();
    int group = -1;
    int place = 0;
    places = 0;
    twins = false;
    SeriesRow before = null;
    starts = new int[ranked.length];
    for (int i = 0; i < ranked.length; i++) {
      SeriesRow row = ranked[i];
      place++;
      if (before == null || !Arrays.equals(before.template, 0, prefix, row.template, 0, prefix)) {
        group++;
        place = 0;
        starts[group] = i;
      }
      row.leader = row.series;
      if (before != null && row.equals(before)) {
        twins = true;
        row.leader = before.leader;
      }
      row.group = group;
      row.place = place;
      places = Math.max(places, place + 1);
      before = row;
    }
    groups = group + 1;
  }

  private SeriesRow[] order() {
    List<SeriesRow> all = new ArrayList<>(resolved);
    for (int i = 0; i < size; i++) {
      if (rows[i] != null) {
        all.add(rows[i]);
      }
    }
    SeriesRow[] order = all.toArray(new SeriesRow[0]);
    Arrays.sort(order);
    return order;
  }

  /** All series with row keys, by row key; after {@link #rank}. */
  SeriesRow[] ranked() {
    return ranked;
  }

  /** The series at a place. */
  SeriesRow at(int group, int place) {
    return ranked[starts[group] + place];
  }

  /** Number of different pairs of salt and metric. */
  int groups() {
    return groups;
  }

  /** Number of series of the largest pair. */
  int places() {
    return places;
  }

  /** Whether several series have the same row key. */
  boolean twins() {
    return twins;
  }

  /** Forgets all slots. */
  void forgetSlots() {
    Arrays.fill(recent, 0, size, -1);
  }

  /** Bytes in use, and those that a spill will take for its order and its sums. */
  long used() {
    long arrays = entries.length * 24L;
    long spilling = size * 52L;
    return table.used()
        + (canonicals == table ? 0 : canonicals.used())
        + (size * 5L > entries.length * 4L ? arrays * 3 : arrays)
        + spilling
        + namedBytes
        + rowBytes;
  }
}
