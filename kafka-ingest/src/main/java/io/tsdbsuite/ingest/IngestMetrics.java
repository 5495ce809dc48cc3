package io.tsdbsuite.ingest;

import static io.tsdbsuite.metrics.MetricDescription.counter;
import static io.tsdbsuite.metrics.MetricDescription.gauge;

import io.tsdbsuite.metrics.MetricCatalog;

/** Types and help texts of the statistics for Prometheus; docs/kafka-ingest.md has more. */
final class IngestMetrics {
  static final MetricCatalog CATALOG =
      new MetricCatalog(
          IngestStats.PREFIX,
          counter(
              "messages", "Messages by outcome; consumed is the sum of all and those in flight."),
          gauge("messages.in_flight", "Consumed messages without an outcome yet."),
          counter("points.stored", "Points that HBase has acknowledged; of REPAIR groups values."),
          counter("rollups.deleted", "Deleted rollups that HBase has acknowledged."),
          counter("rollups.histograms", "Histograms of rollups that HBase has acknowledged."),
          gauge(
              "points.in_flight",
              "Points without an answer of HBase; of REPAIR groups series-hours."),
          gauge("points.in_flight_limit", "Limit of the points in flight."),
          counter("dead_letters", "Records in the dead-letter topic."),
          counter("storage_failures", "Times that a partition stopped because of HBase."),
          counter("lost_messages", "Messages that Kafka had deleted before they were read."),
          counter("lost_answers", "Messages that were read again because an answer was lost."),
          counter("wrong_times", "Requeued messages and requests with a time that cannot be."),
          counter("paused_seconds", "Time for which partitions were stopped, summed over them."),
          gauge("stalled_seconds", "Longest time without progress of a partition with messages."),
          gauge("rate", "points_per_second", "Rate limit."),
          gauge("ready", "1 if the group has caught up and nothing is wrong, else 0."),
          counter("repairs", "Requests for rollups that were carried out, by outcome."),
          counter("repairs.rollups", "Rollups that were computed from raw points and written."),
          counter("repairs.rows", "Rows of raw points read for them."),
          counter("repairs.odd_histograms", "Buckets with a histogram that lacks something."),
          gauge("repairs.waiting", "1 while requests wait for raw points that are not stored yet."),
          gauge("lag", "messages", "Messages to the end of the partition; -1: not measured yet."),
          gauge("rollups.other_widths", "Cells of other widths found at the start."),
          counter("packed.parts", "Parts for packed tables, by state."),
          counter("masks.written", "Masks of late points and lost rollups in the coverage table."),
          counter("masks.coarse", "Writes of masks that void more than was late, by a bound."),
          counter("masks.skipped", "Writes of masks left out, as the table does not exist."),
          counter("masks.expired", "Late points without a mask, as raw data may have expired."),
          counter("masks.below_floor", "Late points before the raw floor of their metric."),
          counter("masks.unread", "Repairs whose masks stay, as they could not be read."),
          counter("masks.requests", "Requests for rollups of late points."),
          counter("masks.failures", "Writes of masks that HBase did not take."),
          counter("seh.points", "Points of the storage exception handler."),
          gauge("seh.queued", "Points of the handler that Kafka has not acknowledged yet."),
          counter("publisher.points", "Points for the publisher's topic."),
          gauge("publisher.queued", "Published points that Kafka has not acknowledged yet."),
          counter("publisher.skipped", "What the publisher does not send, by kind."));

  private IngestMetrics() {}
}
