package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.ingest.mask.MaskSet;
import io.tsdbsuite.message.read.SeriesElement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The masks that a message needs. For one thread after the other. */
final class MessageMasks {
  private static final class Mask {
    private final Kind kind;
    private final long hour;
    private final String metric;
    private final String tsuid;

    Mask(Kind kind, long hour, String metric, String tsuid) {
      this.kind = kind;
      this.hour = hour;
      this.metric = metric;
      this.tsuid = tsuid;
    }
  }

  private final List<Mask> masks = new ArrayList<>(1);
  private Map<String, String> lastTags = Collections.emptyMap();

  /**
   * Adds a mask, unless the last one is the same.
   *
   * @param hour seconds since the epoch
   * @param tsuids the TSUID of an element in hex, upper case; empty if it is not known
   */
  void add(Kind kind, long hour, SeriesElement element, Function<SeriesElement, String> tsuids) {
    if (!masks.isEmpty()) {
      Mask last = masks.get(masks.size() - 1);
      if (last.kind == kind
          && last.hour == hour
          && last.metric.equals(element.metric())
          && lastTags.equals(element.tags())) {
        return;
      }
    }
    masks.add(new Mask(kind, hour, element.metric(), tsuids.apply(element)));
    lastTags = element.tags();
  }

  void addTo(MaskSet set) {
    for (Mask each : masks) {
      set.add(each.kind, each.hour, each.metric, each.tsuid);
    }
  }
}
