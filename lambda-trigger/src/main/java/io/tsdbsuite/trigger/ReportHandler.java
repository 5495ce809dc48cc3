package io.tsdbsuite.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.trigger.config.ReportSettings;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.Map;

/**
 * The task after each step. Takes {@code {"day":"2026-11-20","report":"s3://.../2026-11-20.json",
 * "notBefore":"2026-11-21T01:00:00Z"}}; returns a few figures of the job's report, and writes more
 * of them as metrics. Fails with {@link ReportNotDone} unless the run succeeded and its books
 * close. With {@code "failed":true} it returns {@code {"again":true}} if the failed step may
 * succeed in another attempt, else {@code {"again":false}}.
 */
public final class ReportHandler implements RequestStreamHandler {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ReportSettings settings;
  private final ReportCheck check;
  private final Clock clock = Clock.systemUTC();

  /**
   * Reads the settings from the environment; Lambda's runtime calls it.
   *
   * @throws io.tsdbsuite.trigger.config.ConfigurationException with all problems of the environment
   */
  public ReportHandler() {
    settings = ReportSettings.read(System.getenv());
    check = new ReportCheck(new S3Reports(new AwsClients().objectStore(), settings.reportRoot()));
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    JsonLog log = new JsonLog(System.out, clock, context.getAwsRequestId());
    Metrics metrics = new Metrics(settings.namespace());
    ReportCheck.Input step = ReportCheck.Input.read(input);
    if (step.failed()) {
      MAPPER.writeValue(output, Map.of("again", check.mayRunAgain(step)));
      return;
    }
    ObjectNode summary;
    try {
      summary = check.check(step, metrics);
    } catch (ReportNotDone e) {
      log.warn(e.getMessage());
      throw e;
    }
    log.info("the day is done", "day", summary.get("day").asText());
    metrics.write(
        System.out,
        clock,
        "requestId",
        context.getAwsRequestId(),
        "day",
        summary.get("day").asText());
    MAPPER.writeValue(output, summary);
  }
}
