package io.tsdbsuite.stream.cli;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.RollupRequestElement;
import io.tsdbsuite.stream.series.RequestReason;
import io.tsdbsuite.stream.series.SeriesNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The hours with points that were ahead of their messages, as jobs before have told them: their
 * buckets must not be emitted, since the points may be in lost state only. Not thread-safe.
 *
 * <p>Of more than a limit, the hours of the next day are left to repair for all series, from the
 * first on; those of later times are dropped, from the last on.
 */
final class AheadHours {
  private static final long HOUR = 3600;
  private static final long DAY = 86_400;
  private static final String AHEAD = '"' + RequestReason.AHEAD.text() + '"';

  private final MessageReader reader = new MessageReader();
  private final SeriesNames names = new SeriesNames();
  private final TreeMap<Long, Set<String>> series = new TreeMap<>();
  private final long since;
  private final int most;
  private int size;
  private long completeFrom;
  private long droppedFrom = Long.MAX_VALUE;
  private long dropped;

  /**
   * Creates an empty list.
   *
   * @param since time from which the job has all messages, seconds since the epoch: buckets that
   *     begin before are left to repair anyway
   * @param most limit of hours of all series
   */
  AheadHours(long since, int most) {
    this.since = since;
    this.most = most;
  }

  /** Takes a message of the topic of the requests; of another reason or format it is left out. */
  void add(byte @Nullable [] message) {
    // Most requests have another reason, and need not be parsed.
    if (message == null || !new String(message, StandardCharsets.ISO_8859_1).contains(AHEAD)) {
      return;
    }
    try {
      for (Element each : reader.read(message)) {
        if (each instanceof RollupRequestElement request
            && request.reason().equals(RequestReason.AHEAD.text())) {
          byte[] name = names.encode(request.metric(), request.tags());
          if (name != null) {
            add(new String(name, StandardCharsets.ISO_8859_1), request.timestamp());
          }
        }
      }
    } catch (BadMessageException e) {
      // Not of stream-rollup: kafka-ingest counts it.
      return;
    }
  }

  private void add(String name, long hour) {
    if (hour + HOUR <= since || hour < completeFrom) {
      return;
    }
    if (hour >= droppedFrom) {
      dropped++;
      return;
    }
    if (series.computeIfAbsent(hour, start -> new HashSet<>()).add(name)) {
      size++;
    }
    while (size > most) {
      shrink();
    }
  }

  private void shrink() {
    int near = 0;
    for (Set<String> each : series.headMap(since + DAY - HOUR, true).values()) {
      near += each.size();
    }
    if (2 * near >= size) {
      Map.Entry<Long, Set<String>> first = series.pollFirstEntry();
      size -= first.getValue().size();
      completeFrom = first.getKey() + HOUR;
    } else {
      Map.Entry<Long, Set<String>> last = series.pollLastEntry();
      size -= last.getValue().size();
      dropped += last.getValue().size();
      droppedFrom = last.getKey();
    }
  }

  /** The starts of the hours, seconds since the epoch, by the names of the series. */
  Map<String, List<Long>> hours() {
    Map<String, List<Long>> hours = new HashMap<>();
    series.forEach(
        (hour, all) ->
            all.forEach(name -> hours.computeIfAbsent(name, n -> new ArrayList<>()).add(hour)));
    return hours;
  }

  /**
   * Buckets of all series that begin before are left to repair, since too many series have hours
   * there; seconds since the epoch, 0 for none.
   */
  long completeFrom() {
    return completeFrom;
  }

  /** How often an hour of a series was told that is dropped. */
  long dropped() {
    return dropped;
  }

  /** The first hour that is dropped, seconds since the epoch; Long.MAX_VALUE for none. */
  long droppedFrom() {
    return droppedFrom;
  }
}
