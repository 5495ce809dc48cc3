package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of the few metrics in log lines and statistics, requested ahead so that no caller waits.
 */
final class NameCache {
  private final MetricNames names;
  private final int width;
  private final Map<Long, String> known = new HashMap<>();

  /** Requests without an answer: while HBase is down, no name is requested twice. */
  private final Set<Long> asked = new HashSet<>();

  NameCache(MetricNames names, int width) {
    this.names = names;
    this.width = width;
  }

  /**
   * Keeps the names of these metrics and drops the others; calls back when missing names arrived.
   */
  Deferred<Object> keep(long[] metrics) {
    List<Deferred<Object>> open = new ArrayList<>();
    synchronized (this) {
      Map<Long, String> old = new HashMap<>(known);
      known.clear();
      for (long metric : metrics) {
        String name = old.get(metric);
        if (name != null) {
          known.put(metric, name);
        } else if (asked.add(metric)) {
          open.add(ask(metric));
        }
      }
    }
    return Deferred.group(open).addBoth(answers -> null);
  }

  private Deferred<Object> ask(long metric) {
    Deferred<String> answer;
    try {
      answer = names.name(uid(metric));
    } catch (RuntimeException e) {
      answer = Deferred.fromError(e);
    }
    return answer.addCallbacks(
        name -> {
          answered(metric, name);
          return null;
        },
        // The UID stands in for the name, which is requested again.
        error -> {
          answered(metric, null);
          return null;
        });
  }

  private synchronized void answered(long metric, @Nullable String name) {
    asked.remove(metric);
    if (name != null) {
      known.put(metric, name);
    }
  }

  /** The name, or the UID in hex. */
  synchronized String name(long metric) {
    String name = known.get(metric);
    return name == null ? Tsuid.hex(uid(metric)) : name;
  }

  /** The UID at the start of a TSUID as a number. */
  long metric(byte[] tsuid) {
    long metric = 0;
    for (int i = 0; i < width && i < tsuid.length; i++) {
      metric = metric << 8 | (tsuid[i] & 0xFF);
    }
    return metric;
  }

  private byte[] uid(long metric) {
    byte[] uid = new byte[width];
    long left = metric;
    for (int i = width - 1; i >= 0; i--) {
      uid[i] = (byte) left;
      left >>>= 8;
    }
    return uid;
  }
}
