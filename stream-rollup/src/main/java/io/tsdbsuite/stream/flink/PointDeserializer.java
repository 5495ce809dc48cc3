package io.tsdbsuite.stream.flink;

import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.HistogramElement;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.MetricScanner;
import io.tsdbsuite.message.read.PointNumber;
import io.tsdbsuite.stream.series.HistogramReader;
import io.tsdbsuite.stream.series.PointColumn;
import io.tsdbsuite.stream.series.SeriesHash;
import io.tsdbsuite.stream.series.SeriesNames;
import io.tsdbsuite.stream.series.StreamIntervals;
import io.tsdbsuite.stream.series.StreamPoint;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages by the rules of kafka-ingest: its parser, its numbers and widths, its names. Every
 * element of a message becomes one {@link KafkaPoint}, also a bad one, so that all are counted.
 */
final class PointDeserializer implements KafkaRecordDeserializationSchema<KafkaPoint> {
  private static final long serialVersionUID = 1L;

  /** The first instant that a TSD takes for milliseconds: more than 32 bits. */
  private static final long FIRST_MILLIS = 1L << 32;

  private final long aheadMillis;
  private final long earliest;
  private final long idleMillis;
  private final MessageLimits limits;
  private final Clock clock;
  private final SeriesHash hash;
  private final StreamIntervals intervals;
  private transient @Nullable Parts parts;

  /**
   * Creates a deserializer.
   *
   * @param aheadMillis how far a point may be ahead of its message
   * @param earliest times of messages before are wrong, ms since the epoch
   * @param idleMillis time after which a partition is idle
   * @param limits bounds of a message
   * @param clock limits the times of messages: a producer's clock may be ahead by years; must be
   *     serializable
   * @param hash makes the keys of the state
   * @param intervals select the series whose histograms are read
   */
  PointDeserializer(
      long aheadMillis,
      long earliest,
      long idleMillis,
      MessageLimits limits,
      Clock clock,
      SeriesHash hash,
      StreamIntervals intervals) {
    this.aheadMillis = aheadMillis;
    this.earliest = earliest;
    this.idleMillis = idleMillis;
    this.limits = limits;
    this.clock = clock;
    this.hash = hash;
    this.intervals = intervals;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    parts = new Parts(new RecordTimes(earliest, aheadMillis, idleMillis), limits, intervals);
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<KafkaPoint> out) {
    Parts open = parts;
    if (open == null) {
      throw new IllegalStateException("open must be called first");
    }
    KafkaPoint element = open.element;
    element.topic = message.topic();
    element.partition = message.partition();
    element.offset = message.offset();
    element.readMillis = clock.millis();
    element.time =
        open.times.of(
            message.topic(), message.partition(), message.timestamp(), element.readMillis);
    element.wrongTime = open.times.wasWrong();
    if (open.scanner.begin(message.value())) {
      while (open.scanner.next()) {
        element.kind = kind(open.scanner, open);
        out.collect(element);
        element.wrongTime = false;
      }
      return;
    }
    List<Element> elements;
    try {
      elements = open.reader.read(message.value());
    } catch (BadMessageException e) {
      element.kind = KafkaPoint.Kind.BAD;
      out.collect(element);
      return;
    }
    for (Element each : elements) {
      element.kind = kind(each, open);
      out.collect(element);
      element.wrongTime = false;
    }
  }

  private KafkaPoint.Kind kind(MetricScanner each, Parts open) {
    try {
      each.value(open.number);
    } catch (BadMessageException e) {
      return KafkaPoint.Kind.BAD;
    }
    return point(SeriesNames.encode(each), each.timestamp(), open);
  }

  private KafkaPoint.Kind kind(Element each, Parts open) {
    if (each instanceof BadElement) {
      return KafkaPoint.Kind.BAD;
    }
    if (!(each instanceof MetricElement metric)) {
      return each instanceof HistogramElement histogram && intervals.suite().hasHistograms()
          ? histogramKind(histogram, open)
          : KafkaPoint.Kind.OTHER;
    }
    try {
      open.number.parse(metric.value(), metric.origin());
    } catch (BadMessageException e) {
      return isNotFinite(metric.value()) ? KafkaPoint.Kind.NOT_FINITE : KafkaPoint.Kind.BAD;
    }
    byte[] names = open.names.encode(metric.metric(), metric.tags());
    return names == null ? KafkaPoint.Kind.BAD : point(names, metric.timestamp(), open);
  }

  private KafkaPoint.Kind histogramKind(HistogramElement histogram, Parts open) {
    byte[] names = open.names.encode(histogram.metric(), histogram.tags());
    if (names == null) {
      return KafkaPoint.Kind.BAD;
    }
    byte[] cell;
    try {
      cell = open.histograms.cell(names, histogram);
    } catch (IllegalArgumentException e) {
      return KafkaPoint.Kind.BAD;
    }
    if (cell == null) {
      return KafkaPoint.Kind.OTHER;
    }
    KafkaPoint.Kind kind = point(names, histogram.timestamp(), open);
    StreamPoint point = open.element.point;
    point.flags = PointColumn.flags(histogram.timestamp() >= FIRST_MILLIS, false, 1);
    point.bits = 0;
    point.cell = cell;
    return kind;
  }

  /** Sets the point, of {@link Parts#number}. */
  private KafkaPoint.Kind point(byte[] names, long timestamp, Parts open) {
    StreamPoint point = open.element.point;
    boolean millis = timestamp >= FIRST_MILLIS;
    point.names = names;
    point.hash = hash.of(names);
    point.millis = millis ? timestamp : timestamp * 1000;
    point.flags = PointColumn.flags(millis, open.number.isFloat(), open.number.valueLength());
    point.bits = open.number.rawBits();
    point.cell = StreamPoint.NO_CELL;
    // The present tells nothing of a message in a backlog.
    point.messageMillis = open.times.wasWrong() ? Long.MIN_VALUE : open.element.time;
    // Only of the present, too, where the time of the message is not known.
    long time = open.times.wasWrong() ? open.element.readMillis : open.element.time;
    point.ahead = point.millis - aheadMillis > time;
    return KafkaPoint.Kind.POINT;
  }

  private static boolean isNotFinite(String value) {
    String text = value.toLowerCase(Locale.ROOT);
    return text.endsWith("nan") || text.endsWith("infinity");
  }

  @Override
  public TypeInformation<KafkaPoint> getProducedType() {
    return new ElementType<>(KafkaPoint.class, KafkaPointSerializer.INSTANCE);
  }

  /** What one task needs; not serializable. */
  private static final class Parts {
    private final MetricScanner scanner;
    private final MessageReader reader;
    private final PointNumber number = new PointNumber();
    private final SeriesNames names = new SeriesNames();
    private final KafkaPoint element = new KafkaPoint();
    private final RecordTimes times;
    private final HistogramReader histograms;

    Parts(RecordTimes times, MessageLimits limits, StreamIntervals intervals) {
      this.times = times;
      this.histograms = new HistogramReader(intervals);
      this.scanner = new MetricScanner(limits);
      this.reader = new MessageReader(limits);
    }
  }
}
