package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.ingest.mask.MaskRule;
import io.tsdbsuite.ingest.mask.MaskSet;
import io.tsdbsuite.ingest.mask.MaskSink;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.message.read.AggregateElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.RollupRequestElement;
import io.tsdbsuite.message.read.SeriesElement;
import java.time.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Masks what the messages of a group store late, and the rollups that are lost with a message:
 * after HBase has acknowledged its points, and before its offset is committed. Thread-safe.
 */
final class Masking {
  private final @Nullable MaskSink writer;
  private final @Nullable ElementSink sink;
  private final @Nullable RepairRequests requests;
  private final MessageLimits limits;
  private final Clock clock;

  private Masking(
      @Nullable MaskSink writer,
      @Nullable ElementSink sink,
      @Nullable RepairRequests requests,
      MessageLimits limits,
      Clock clock) {
    this.writer = writer;
    this.sink = sink;
    this.requests = requests;
    this.limits = limits;
    this.clock = clock;
  }

  /** Masks nothing. */
  static Masking off() {
    return new Masking(null, null, null, MessageLimits.DEFAULT, Clock.systemUTC());
  }

  /**
   * Masks with a writer.
   *
   * @param sink knows the TSUIDs of series
   * @param requests asks for the rollups of what is late; null if nobody repairs them
   * @param limits of the group's messages
   */
  static Masking with(
      MaskSink writer,
      ElementSink sink,
      @Nullable RepairRequests requests,
      MessageLimits limits,
      Clock clock) {
    return new Masking(writer, sink, requests, limits, clock);
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
    if (writer != null && element instanceof MetricElement) {
      long hour = MaskRule.hour(((MetricElement) element).timestamp());
      if (!MaskRule.isLate(hour, now)) {
        message.noteHour(hour);
      } else if (writer.leavesOut(hour, now)) {
        return;
      } else if (!writer.isOn()) {
        message.noteHour(hour);
      } else {
        message.masks().add(Kind.LATE, hour, (SeriesElement) element, this::tsuid);
      }
    }
  }

  /**
   * Notes an element that becomes a dead letter. Writing thread only.
   *
   * @param why a request that is refused since raw points may have expired masks nothing: the
   *     stored rollups are the better answer
   */
  void lost(InFlightMessage message, Element element, Reason why) {
    if (writer != null && isRollup(element) && why != Reason.EXPIRED) {
      SeriesElement rollup = (SeriesElement) element;
      message.masks().add(Kind.LOST, MaskRule.hour(rollup.timestamp()), rollup, this::tsuid);
    }
  }

  private static boolean isRollup(Element element) {
    return element instanceof RollupElement
        || element instanceof RollupRequestElement
        || element instanceof AggregateElement;
  }

  private String tsuid(SeriesElement element) {
    return sink == null ? "" : sink.tsuid(element);
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
    MessageMasks masks = message.masksOrNull();
    long oldest = message.oldestHour();
    boolean again = isLost || (oldest >= 0 && MaskRule.isLate(oldest, clock.millis()));
    if (to == null || (masks == null && !again)) {
      done.accept(null);
      return;
    }
    byte[] value = message.message().record().value();
    to.write(
        new MaskSink.Source() {
          private final MessageMasks all = masks == null ? new MessageMasks() : masks;

          @Override
          public void addTo(MaskSet set) {
            if (again) {
              readAgain(value, isLost, all, to);
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

  /** The series of points that were not late when their puts were queued are not kept. */
  private void readAgain(byte[] message, boolean isLost, MessageMasks masks, MaskSink to) {
    long now = clock.millis();
    try {
      for (Element each : new MessageReader(limits).read(message)) {
        if (each instanceof MetricElement) {
          long hour = MaskRule.hour(((MetricElement) each).timestamp());
          if (MaskRule.isLate(hour, now) && !to.leavesOut(hour, now)) {
            masks.add(Kind.LATE, hour, (SeriesElement) each, this::tsuid);
          }
        } else if (isLost && isRollup(each)) {
          SeriesElement rollup = (SeriesElement) each;
          masks.add(Kind.LOST, MaskRule.hour(rollup.timestamp()), rollup, this::tsuid);
        }
      }
    } catch (BadMessageException e) {
      // Nothing of it was stored, and its series are not known.
    }
  }
}
