package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.ingest.mask.MaskRule;
import io.tsdbsuite.ingest.mask.MaskSet;
import io.tsdbsuite.ingest.mask.MaskSink;
import io.tsdbsuite.ingest.publish.RepairRequests;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.message.read.AggregateElement;
import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.HistogramElement;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.RollupRequestElement;
import io.tsdbsuite.message.read.SeriesElement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Masks what the messages of a group store late, and the rollups that are lost with a message:
 * after HBase has acknowledged its points, and before its offset is committed. Thread-safe.
 */
final class Masking {
  private final @Nullable MaskSink writer;
  private final ElementSink sink;
  private final @Nullable RepairRequests requests;
  private final MessageLimits limits;
  private final Clock clock;

  /** The masks that a message needs. For one thread after the other. */
  static final class Masks {
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

  /** The coverage table did not take the masks of a message. */
  static final class MaskException extends Exception {
    private static final long serialVersionUID = 1;

    MaskException(Throwable cause) {
      super("the coverage table must take the masks of late points, it said: " + cause, cause);
    }
  }

  /**
   * Masks with a writer.
   *
   * @param writer null if nothing is masked
   * @param sink knows the TSUIDs of series
   * @param requests asks for the rollups of what is late; null if nothing repairs them
   * @param limits of the group's messages
   */
  Masking(
      @Nullable MaskSink writer,
      ElementSink sink,
      @Nullable RepairRequests requests,
      MessageLimits limits,
      Clock clock) {
    this.writer = writer;
    this.sink = sink;
    this.requests = requests;
    this.limits = limits;
    this.clock = clock;
  }

  /** The time for {@link #stored}, milliseconds since the epoch. */
  long now() {
    return writer == null ? 0 : clock.millis();
  }

  /**
   * Notes an element whose put was queued. Writing thread only.
   *
   * @param now when the message was begun: a point that is late later is found by {@link #write}
   */
  void stored(InFlightMessage message, Element element, long now) {
    SeriesElement point = writer == null ? null : point(element);
    if (writer != null && point != null) {
      long hour = MaskRule.hour(point.timestamp());
      if (!MaskRule.isLate(hour, now)) {
        message.noteHour(hour);
      } else if (writer.leavesOut(point.metric(), hour, now, true)) {
        return;
      } else if (!writer.isOn()) {
        message.noteHour(hour);
      } else {
        message.masks().add(Kind.LATE, hour, point, sink::tsuid);
      }
    }
  }

  /** The point of an element, or the histogram from which rollups are made; null for another. */
  private @Nullable SeriesElement point(Element element) {
    return element instanceof MetricElement
            || (element instanceof HistogramElement
                && sink.hasHistograms(((HistogramElement) element).metric()))
        ? (SeriesElement) element
        : null;
  }

  /**
   * Notes an element that becomes a dead letter. Writing thread only.
   *
   * @param why a request that is refused since raw points may have expired masks nothing, nor what
   *     begins before a floor: the stored rollups are the better answer
   */
  void lost(InFlightMessage message, Element element, Reason why) {
    if (writer != null && why != Reason.EXPIRED && why != Reason.BELOW_FLOOR) {
      for (SeriesElement each : rollups(element)) {
        message.masks().add(Kind.LOST, MaskRule.hour(each.timestamp()), each, sink::tsuid);
      }
    }
  }

  /** The rollups or the request of an element; none of another one. */
  private static List<? extends SeriesElement> rollups(Element element) {
    if (element instanceof BadElement) {
      return ((BadElement) element).rollups();
    }
    return element instanceof RollupElement
            || element instanceof RollupRequestElement
            || element instanceof AggregateElement
        ? Collections.singletonList((SeriesElement) element)
        : Collections.emptyList();
  }

  /**
   * Writes the masks of a message.
   *
   * @param isLost whether it is refused or requeued as a whole; a part may be stored
   * @param done called once, on this thread or another: with null when the masks are acknowledged
   *     or none are needed, else with the failure
   */
  void write(InFlightMessage message, boolean isLost, Consumer<@Nullable Throwable> done) {
    MaskSink to = writer;
    Masks masks = message.masks;
    long oldest = message.oldestHour;
    boolean again = isLost || (oldest >= 0 && MaskRule.isLate(oldest, clock.millis()));
    if (to == null || (masks == null && !again)) {
      done.accept(null);
      return;
    }
    byte[] value = message.queued.record.value();
    to.write(
        new MaskSink.Source() {
          private final Masks all = masks == null ? new Masks() : masks;

          @Override
          public void addTo(MaskSet set) {
            if (again) {
              readAgain(value, isLost, oldest, all, to);
            }
            all.addTo(set);
          }

          @Override
          public void written(MaskSet set) {
            if (requests != null) {
              all.request(set, requests);
            }
          }
        },
        done);
  }

  /**
   * The series of points that were not late when their puts were queued are not kept.
   *
   * @param oldest the first hour of these points, seconds since the epoch; -1 for none
   */
  private void readAgain(byte[] message, boolean isLost, long oldest, Masks masks, MaskSink to) {
    long now = clock.millis();
    try {
      for (Element each : new MessageReader(limits).read(message)) {
        SeriesElement point = point(each);
        if (point != null) {
          long hour = MaskRule.hour(point.timestamp());
          boolean isFirst = oldest >= 0 && hour >= oldest;
          if (MaskRule.isLate(hour, now) && !to.leavesOut(point.metric(), hour, now, isFirst)) {
            masks.add(Kind.LATE, hour, point, sink::tsuid);
          }
        } else if (isLost) {
          for (SeriesElement rollup : rollups(each)) {
            masks.add(Kind.LOST, MaskRule.hour(rollup.timestamp()), rollup, sink::tsuid);
          }
        }
      }
    } catch (BadMessageException e) {
      // Nothing of it was stored, and its series are not known.
    }
  }
}
