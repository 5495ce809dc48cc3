package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names of the few metrics that are told about: asked for ahead, so that nobody waits for them. */
final class NameCache {
  private final MetricNames names;
  private final int width;
  private final Map<Long, String> known = new HashMap<>();

  NameCache(MetricNames names, int width) {
    this.names = names;
    this.width = width;
  }

  /** Keeps the names of these and forgets the others; calls back when all answers are there. */
  Deferred<Object> keep(long[] metrics) {
    List<Deferred<Object>> open = new ArrayList<>();
    synchronized (this) {
      Map<Long, String> old = new HashMap<>(known);
      known.clear();
      for (long metric : metrics) {
        String name = old.get(metric);
        if (name == null) {
          open.add(ask(metric));
        } else {
          known.put(metric, name);
        }
      }
    }
    return Deferred.group(open).addBoth(answers -> null);
  }

  private Deferred<Object> ask(long metric) {
    Deferred<String> asked;
    try {
      asked = names.name(uid(metric));
    } catch (RuntimeException e) {
      asked = Deferred.fromError(e);
    }
    return asked.addCallbacks(
        name -> {
          put(metric, name);
          return null;
        },
        // It goes by its UID meanwhile, and is asked for again.
        error -> null);
  }

  private synchronized void put(long metric, String name) {
    known.put(metric, name);
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
