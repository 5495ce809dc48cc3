package io.tsdbsuite.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.trigger.config.NightSettings;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.Map;

/**
 * EventBridge calls it once a day. Ignores its input; returns {@code {"daysMissing":0}} if the
 * night has finished, else the number of days without a report of success, which it also writes as
 * a metric.
 */
public final class NightCheckHandler implements RequestStreamHandler {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final NightSettings settings;
  private final NightCheck check;
  private final Clock clock = Clock.systemUTC();

  /**
   * Reads the settings from the environment; Lambda's runtime calls it.
   *
   * @throws io.tsdbsuite.trigger.config.ConfigurationException with all problems of the environment
   */
  public NightCheckHandler() {
    settings = NightSettings.read(System.getenv());
    AwsClients clients = new AwsClients();
    check =
        new NightCheck(
            settings,
            clients.objectStore(settings.backup().backupRegion()),
            new S3Reports(clients.objectStore(), settings.backup().reportRoot()),
            clock);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    JsonLog log = new JsonLog(System.out, clock, context.getAwsRequestId());
    Metrics metrics = new Metrics(settings.namespace());
    int missing = check.check(log, metrics);
    metrics.write(System.out, clock, "requestId", context.getAwsRequestId());
    MAPPER.writeValue(output, Map.of("daysMissing", missing));
  }
}
