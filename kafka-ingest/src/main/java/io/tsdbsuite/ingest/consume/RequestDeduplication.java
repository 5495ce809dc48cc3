package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.message.read.RollupRequestElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out what a later request among the same messages asks for, too: equal requests, and a
 * bucket above an hour if several of its hours ask for it. One that had not ended is read by none
 * of them, and stays: a request without it would remove no masks. Only messages of one request are
 * looked at, as stream-rollup writes them.
 *
 * <p>The later request reads all that the earlier one has to read, and the same buckets had ended.
 * The intervals of both must be equal, so that the later one is not refused for an interval that
 * the earlier one does not have. The later one is not committed before it is carried out; so
 * nothing is lost if it fails and the earlier one has completed.
 */
final class RequestDeduplication {
  private static final long HOUR = 3600;

  private final ElementSink store;
  private final Map<List<Object>, WriteLoop.Parsed> latest = new HashMap<>();

  private RequestDeduplication(ElementSink store) {
    this.store = store;
  }

  /** Covers or reduces messages. */
  static void apply(List<WriteLoop.Parsed> messages, ElementSink store) {
    if (messages.size() > 1) {
      new RequestDeduplication(store).apply(messages);
    }
  }

  private void apply(List<WriteLoop.Parsed> messages) {
    for (WriteLoop.Parsed each : messages) {
      RollupRequestElement request = request(each);
      if (request != null) {
        latest.merge(hour(request), each, RequestDeduplication::later);
        for (String interval : request.intervals()) {
          if (readsBucket(each, request, interval)) {
            latest.merge(bucket(request, interval), each, RequestDeduplication::later);
          }
        }
      }
    }
    for (WriteLoop.Parsed each : messages) {
      RollupRequestElement request = request(each);
      if (request != null) {
        reduce(each, request);
      }
    }
  }

  private void reduce(WriteLoop.Parsed message, RollupRequestElement request) {
    if (latest.get(hour(request)) != message) {
      message.cover();
    } else {
      List<String> left = new ArrayList<>();
      for (String interval : request.intervals()) {
        if (!readsBucket(message, request, interval)
            || latest.get(bucket(request, interval)) == message) {
          left.add(interval);
        }
      }
      if (left.isEmpty()) {
        message.cover();
      } else if (left.size() < request.intervals().size()) {
        message.elements = Collections.singletonList(request.with(left));
      }
    }
  }

  private static @Nullable RollupRequestElement request(WriteLoop.Parsed message) {
    return message.elements.size() == 1 && message.elements.get(0) instanceof RollupRequestElement
        ? (RollupRequestElement) message.elements.get(0)
        : null;
  }

  /** Of two that were written at the same time the second one is the later one. */
  private static WriteLoop.Parsed later(WriteLoop.Parsed one, WriteLoop.Parsed two) {
    return two.queued.requestedAt() >= one.queued.requestedAt() ? two : one;
  }

  private static List<Object> hour(RollupRequestElement request) {
    return key(request, "", request.timestamp());
  }

  private List<Object> bucket(RollupRequestElement request, String interval) {
    return key(request, interval, index(request, interval));
  }

  /** Number of the bucket that contains the hour of a request, since the epoch. */
  private long index(RollupRequestElement request, String interval) {
    return Math.floorDiv(request.timestamp(), store.bucketHours(interval) * HOUR);
  }

  /** Whether an interval is above an hour, and its bucket had ended when it was requested. */
  private boolean readsBucket(
      WriteLoop.Parsed message, RollupRequestElement request, String interval) {
    long seconds = store.bucketHours(interval) * HOUR;
    return seconds > HOUR
        && (index(request, interval) + 1) * seconds * 1000 <= message.queued.requestedAt();
  }

  private static List<Object> key(RollupRequestElement request, String interval, long time) {
    return Arrays.asList(
        interval, time, request.metric(), request.tags(), new TreeSet<>(request.intervals()));
  }
}
