package io.tsdbsuite.trigger;

import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.event.MalformedEventException;
import io.tsdbsuite.trigger.event.ObjectCreated;
import io.tsdbsuite.trigger.event.QueueMessage;
import io.tsdbsuite.trigger.event.Relevance;
import io.tsdbsuite.trigger.event.Relevance.MarkerWritten;
import io.tsdbsuite.trigger.event.Relevance.None;
import io.tsdbsuite.trigger.event.Relevance.SnapshotWritten;
import io.tsdbsuite.trigger.event.Router;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.night.Marker;
import io.tsdbsuite.trigger.night.MarkerException;
import io.tsdbsuite.trigger.night.Night;
import io.tsdbsuite.trigger.report.DoneDays;
import io.tsdbsuite.trigger.report.Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.snapshot.DeadlineException;
import io.tsdbsuite.trigger.snapshot.IncompleteSnapshotException;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.start.ExecutionName;
import io.tsdbsuite.trigger.start.StartException;
import io.tsdbsuite.trigger.start.Starter;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * What a batch of messages leads to. The messages of one night lead to one look at it. A message is
 * done with when its night was started, now or before, or when it is of no night; any other fails
 * and comes again, until the queue gives it to its dead-letter queue.
 */
final class Trigger {
  private final TriggerSettings settings;
  private final ObjectStore store;
  private final Starter starter;
  private final Router router;
  private final SnapshotCheck check;
  private final Reports reports;

  Trigger(TriggerSettings settings, ObjectStore store, Starter starter) {
    this.settings = settings;
    this.store = store;
    this.starter = starter;
    this.router = new Router(settings.backup());
    this.check = new SnapshotCheck(store, settings.backup());
    this.reports = new Reports(store, settings.backup().reportRoot());
  }

  /** One invocation. */
  private final class Batch {
    private final JsonLog log;
    private final Metrics metrics;
    private final Deadline deadline;
    private final Map<Night, List<QueueMessage>> nights = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    Batch(JsonLog log, Metrics metrics, Deadline deadline) {
      this.log = log;
      this.metrics = metrics;
      this.deadline = deadline;
    }

    void sort(QueueMessage message) {
      metrics.count("EventsReceived", 1);
      attempt(
          List.of(message),
          "message " + message.id(),
          () -> {
            S3Location object = ObjectCreated.parse(message.body());
            Relevance relevance = router.route(object);
            if (relevance instanceof None none) {
              metrics.count("EventsDropped", 1);
              log.info(
                  "dropped an event",
                  "messageId",
                  message.id(),
                  "object",
                  object.uri(),
                  "why",
                  none.why());
            } else {
              nights.computeIfAbsent(night(relevance), any -> new ArrayList<>()).add(message);
            }
          });
    }

    void start() {
      nights.forEach(
          (night, messages) -> attempt(messages, "night " + night.date(), () -> start(night)));
    }

    private void start(Night night) throws IOException {
      long begin = System.nanoTime();
      WholeNight whole;
      try {
        whole = check.check(night, deadline);
      } finally {
        metrics.seconds("CheckTime", (System.nanoTime() - begin) / 1e9);
      }
      metrics.count("HFilesChecked", whole.data().files() + whole.uid().files());
      if (whole.uidIsOlder()) {
        log.warn(
            "the UID snapshot is older than the data snapshot: new series may have no name",
            "data",
            whole.data().created(),
            "uid",
            whole.uid().created());
      }
      List<LocalDate> days = new DoneDays(reports, whole).window(settings.catchUpDays());
      String name = ExecutionName.of(settings.backup().root(), whole);
      Starter.Outcome outcome = starter.start(name, whole, days);
      boolean started = outcome == Starter.Outcome.STARTED;
      metrics.count(started ? "PipelinesStarted" : "PipelinesAlreadyStarted", 1);
      log.info(
          started ? "started the pipeline" : "this export of the night was started before",
          "name",
          name,
          "dataSnapshot",
          night.dataSnapshot(),
          "uidSnapshot",
          night.uidSnapshot(),
          "snapshotTime",
          whole.snapshotTime(),
          "days",
          days,
          "hfiles",
          whole.data().files() + whole.uid().files(),
          "bytes",
          whole.data().bytes() + whole.uid().bytes());
    }

    /** Messages whose work fails are told to SQS, with the reason in the log. */
    private void attempt(List<QueueMessage> messages, String what, Work work) {
      try {
        work.run();
        return;
      } catch (IncompleteSnapshotException e) {
        metrics.count("SnapshotsNotWhole", 1);
        warn(what, messages, e);
      } catch (MalformedEventException | MarkerException e) {
        metrics.count("EventsMalformed", messages.size());
        warn(what, messages, e);
      } catch (DeadlineException | StartException | SdkException | IOException e) {
        metrics.count("Errors", 1);
        warn(what, messages, e);
      } catch (RuntimeException e) {
        metrics.count("Errors", 1);
        log.error(what + " failed", e);
      }
      metrics.count("EventsFailed", messages.size());
      messages.forEach(message -> failures.add(message.id()));
    }

    private void warn(String what, List<QueueMessage> messages, Exception e) {
      log.warn(
          what + " comes again: " + e.getMessage(),
          "messages",
          messages.size(),
          "receives",
          messages.stream().mapToInt(QueueMessage::receives).max().orElse(0));
    }
  }

  /** Part of an invocation that may fail by itself. */
  private interface Work {
    void run() throws IOException;
  }

  /**
   * Works on a batch.
   *
   * @param metrics receives EventsReceived, EventsDropped, EventsMalformed, EventsFailed,
   *     SnapshotsNotWhole, PipelinesStarted, PipelinesAlreadyStarted, HFilesChecked, Errors
   *     (counts) and CheckTime (seconds)
   * @return ids of the messages that SQS is to deliver again
   */
  List<String> handle(
      List<QueueMessage> messages, JsonLog log, Metrics metrics, Deadline deadline) {
    Batch batch = new Batch(log, metrics, deadline);
    messages.forEach(batch::sort);
    batch.start();
    return List.copyOf(batch.failures);
  }

  private Night night(Relevance relevance) throws IOException {
    if (relevance instanceof MarkerWritten marker) {
      return Marker.read(store, marker.place(), marker.date());
    }
    LocalDate date = ((SnapshotWritten) relevance).date();
    return new Night(
        date,
        settings.backup().pattern().name(settings.backup().dataTable(), date),
        settings.backup().pattern().name(settings.backup().uidTable(), date));
  }
}
