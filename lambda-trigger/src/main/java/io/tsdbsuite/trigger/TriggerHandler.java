package io.tsdbsuite.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.event.QueueMessage;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.start.StepFunctionsStarter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;

/**
 * Takes an SQS batch of EventBridge's S3 events, and starts the pipeline for each night whose
 * snapshots are complete. Returns SQS's partial batch response, so the event source mapping must
 * set ReportBatchItemFailures.
 */
public final class TriggerHandler implements RequestStreamHandler {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final TriggerSettings settings;
  private final Trigger trigger;
  private final Clock clock = Clock.systemUTC();

  /**
   * Reads the settings from the environment; Lambda's runtime calls it.
   *
   * @throws io.tsdbsuite.trigger.config.ConfigurationException with all problems of the environment
   */
  public TriggerHandler() {
    settings = TriggerSettings.read(System.getenv());
    AwsClients clients = new AwsClients();
    BackupSettings backup = settings.backup();
    S3Reports reports = new S3Reports(clients.objectStore(), backup.reportRoot());
    trigger =
        new Trigger(
            settings,
            clients.objectStore(backup.backupRegion()),
            reports,
            new StepFunctionsStarter(
                clients.stepFunctions(), settings.stateMachineArn(), backup.root()),
            clock);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    JsonLog log = new JsonLog(System.out, clock, context.getAwsRequestId());
    Metrics metrics = new Metrics(settings.namespace());
    List<String> failures =
        trigger.handle(
            QueueMessage.readAll(input),
            log,
            metrics,
            new Deadline(context::getRemainingTimeInMillis));
    metrics.write(System.out, clock, "requestId", context.getAwsRequestId());
    ObjectNode answer = MAPPER.createObjectNode();
    ArrayNode items = answer.putArray("batchItemFailures");
    failures.forEach(id -> items.addObject().put("itemIdentifier", id));
    MAPPER.writeValue(output, answer);
  }
}
