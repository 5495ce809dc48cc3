package io.tsdbsuite.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.Target;
import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.event.QueueMessage;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.start.DataPipelineStarter;
import io.tsdbsuite.trigger.start.Starter;
import io.tsdbsuite.trigger.start.StepFunctionsStarter;
import io.tsdbsuite.trigger.step.StepPlanner;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import java.util.UUID;

/**
 * Takes a batch of SQS whose messages are EventBridge's events of S3, and starts the pipeline for
 * each night that is whole. Answers SQS's partial batch response, so the event source mapping must
 * have ReportBatchItemFailures.
 */
public final class TriggerHandler implements RequestStreamHandler {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final TriggerSettings settings;
  private final Trigger trigger;
  private final Clock clock = Clock.systemUTC();

  /**
   * Called by Lambda's runtime.
   *
   * @throws io.tsdbsuite.trigger.config.ConfigurationException with all problems of the environment
   */
  public TriggerHandler() {
    settings = TriggerSettings.read(System.getenv());
    Clients clients = new Clients();
    ObjectStore store = clients.objectStore();
    trigger = new Trigger(settings, store, starter(clients, store));
  }

  private Starter starter(Clients clients, ObjectStore store) {
    BackupSettings backup = settings.backup();
    if (settings.target() == Target.STEP_FUNCTIONS) {
      return new StepFunctionsStarter(
          clients.stepFunctions(), settings.stateMachineArn(), backup.root());
    }
    Reports reports = new Reports(store, backup.reportRoot());
    return new DataPipelineStarter(
        clients.dataPipeline(),
        settings.pipelineId(),
        backup.root(),
        backup.reportRoot(),
        store,
        new StepPlanner(backup, settings.job(), reports),
        () -> UUID.randomUUID().toString(),
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
