package io.tsdbsuite.trigger;

import io.tsdbsuite.planner.due.NightDays;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.event.Marker;
import io.tsdbsuite.trigger.event.Marker.MarkerException;
import io.tsdbsuite.trigger.event.ObjectCreated;
import io.tsdbsuite.trigger.event.ObjectCreated.MalformedEventException;
import io.tsdbsuite.trigger.event.QueueMessage;
import io.tsdbsuite.trigger.event.Router;
import io.tsdbsuite.trigger.event.Router.Route;
import io.tsdbsuite.trigger.event.Router.Route.MarkerWritten;
import io.tsdbsuite.trigger.event.Router.Route.None;
import io.tsdbsuite.trigger.event.Router.Route.SnapshotWritten;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.snapshot.Deadline.DeadlineException;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.start.ExecutionName;
import io.tsdbsuite.trigger.start.Starter;
import java.io.IOException;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Handles a batch of messages. All messages of one night cause one check of its snapshots. A
 * message succeeds if its night was started, now or earlier, or if it belongs to no night. Any
 * other message fails and is delivered again, until the queue moves it to its dead-letter queue.
 */
final class Trigger {
  private final TriggerSettings settings;
  private final ObjectStore store;
  private final Starter starter;
  private final Router router;
  private final SnapshotCheck check;
  private final S3Reports reports;
  private final Clock clock;

  /**
   * @param store reads the backup's bucket
   * @param clock the present
   */
  Trigger(
      TriggerSettings settings,
      ObjectStore store,
      S3Reports reports,
      Starter starter,
      Clock clock) {
    this.settings = settings;
    this.store = store;
    this.starter = starter;
    this.router = new Router(settings.backup());
    this.check = new SnapshotCheck(store, settings.backup(), clock);
    this.reports = reports;
    this.clock = clock;
  }

  /** One invocation. */
  private final class Batch {
    private final JsonLog log;
    private final Metrics metrics;
    private final Deadline deadline;
    private final Map<Night, List<QueueMessage>> nights = new LinkedHashMap<>();

    /** Nights whose exporter says that they are complete. */
    private final Set<Night> marked = new HashSet<>();

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
            Route relevance = router.route(object);
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
              Night night = night(relevance);
              nights.computeIfAbsent(night, any -> new ArrayList<>()).add(message);
              if (relevance instanceof MarkerWritten) {
                marked.add(night);
              }
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
      } catch (IncompleteSnapshotException e) {
        metrics.count("HalfExports", marked.contains(night) ? 1 : 0);
        throw e;
      } finally {
        metrics.seconds("CheckTime", (System.nanoTime() - begin) / 1e9);
      }
      metrics.count("HFilesChecked", whole.data().files() + whole.uid().files());
      if (whole.uidIsOlder()) {
        log.warn(
            "the UID snapshot is older than the data snapshot: names of new series may be missing",
            "data",
            whole.data().created(),
            "uid",
            whole.uid().created());
      }
      NightDays planned =
          NightDays.of(
              reports,
              settings.match()::isOwn,
              settings.nights(),
              whole.snapshots(),
              whole.data().ttl(),
              clock.instant());
      List<LocalDate> days = planned.start();
      String name = ExecutionName.of(settings.backup().root(), whole);
      Starter.Outcome outcome = starter.start(name, whole, days);
      boolean started = outcome == Starter.Outcome.STARTED;
      metrics.count(started ? "PipelinesStarted" : "PipelinesAlreadyStarted", 1);
      log.info(
          started ? "started the pipeline" : "the pipeline was already started for this export",
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
      List<LocalDate> givenUp = planned.givenUp();
      metrics.count("DaysGivenUp", givenUp.size());
      if (!givenUp.isEmpty()) {
        log.warn(
            "days have no report of success, and no night runs them any more", "days", givenUp);
      }
    }

    /** Runs the work of some messages. If it fails, reports them to SQS and logs the reason. */
    private void attempt(List<QueueMessage> messages, String subject, Work work) {
      try {
        work.run();
        return;
      } catch (IncompleteSnapshotException e) {
        metrics.count("SnapshotsNotWhole", 1);
        warn(subject, messages, e);
      } catch (MalformedEventException | MarkerException e) {
        metrics.count("EventsMalformed", messages.size());
        warn(subject, messages, e);
      } catch (DeadlineException | SdkException | IOException e) {
        metrics.count("Errors", 1);
        warn(subject, messages, e);
      } catch (RuntimeException e) {
        metrics.count("Errors", 1);
        log.error(subject + " failed", e);
      }
      metrics.count("EventsFailed", messages.size());
      messages.forEach(message -> failures.add(message.id()));
    }

    private void warn(String subject, List<QueueMessage> messages, Exception e) {
      log.warn(
          subject + " will be delivered again: " + e.getMessage(),
          "messages",
          messages.size(),
          "receives",
          messages.stream().mapToInt(QueueMessage::receives).max().orElse(0));
    }
  }

  /** Part of an invocation that can fail independently. */
  private interface Work {
    void run() throws IOException;
  }

  /**
   * Handles a batch.
   *
   * @param metrics receives EventsReceived, EventsDropped, EventsMalformed, EventsFailed,
   *     SnapshotsNotWhole, HalfExports, PipelinesStarted, PipelinesAlreadyStarted, HFilesChecked,
   *     DaysGivenUp, Errors (counts) and CheckTime (seconds)
   * @return ids of the messages that SQS must deliver again
   */
  List<String> handle(
      List<QueueMessage> messages, JsonLog log, Metrics metrics, Deadline deadline) {
    Batch batch = new Batch(log, metrics, deadline);
    messages.forEach(batch::sort);
    batch.start();
    return List.copyOf(batch.failures);
  }

  private Night night(Route relevance) throws IOException {
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
