package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.ingest.mask.MaskSet;
import io.tsdbsuite.message.read.SeriesElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The masks that a message needs. For one thread after the other. */
final class MessageMasks {
  private static final class Mask {
    private final Kind kind;
    private final long hour;
    private final String metric;
    private final Map<String, String> tags;
    private final String tsuid;

    Mask(Kind kind, long hour, SeriesElement element, String tsuid) {
      this.kind = kind;
      this.hour = hour;
      this.metric = element.metric();
      this.tags = element.tags();
      this.tsuid = tsuid;
    }
  }

  private final List<Mask> masks = new ArrayList<>(1);

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
          && last.tags.equals(element.tags())) {
        return;
      }
    }
    masks.add(new Mask(kind, hour, element, tsuids.apply(element)));
  }

  void addTo(MaskSet set) {
    for (Mask each : masks) {
      set.add(each.kind, each.hour, each.metric, each.tsuid);
    }
  }

  /** Requests the rollups of the series that the set names: a repair removes their masks. */
  void request(MaskSet set, RepairRequests requests) {
    for (Mask each : masks) {
      if (each.kind == Kind.LATE && set.names(Kind.LATE, each.hour, each.metric, each.tsuid)) {
        requests.late(each.hour, each.metric, each.tags);
      }
    }
  }
}
