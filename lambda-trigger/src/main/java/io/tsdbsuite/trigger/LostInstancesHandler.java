package io.tsdbsuite.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.trigger.cluster.LostInstances;
import io.tsdbsuite.trigger.log.JsonLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The state machine's task before it terminates a cluster after a failure. Takes {@code
 * {"clusterId":"j-..."}}; returns {@code {"lost":true}} if the cluster has lost an instance of its
 * task fleet, so that another attempt may succeed. The answer has a constant size: the list of all
 * instances could exceed the limit of an execution's state. Needs no environment.
 */
public final class LostInstancesHandler implements RequestStreamHandler {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern CLUSTER = Pattern.compile("j-[A-Za-z0-9]+");

  private final LostInstances instances;
  private final Clock clock = Clock.systemUTC();

  /** Lambda's runtime calls it. */
  public LostInstancesHandler() {
    this(new LostInstances(new AwsClients().emr()));
  }

  LostInstancesHandler(LostInstances instances) {
    this.instances = instances;
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    JsonNode request = MAPPER.readTree(input);
    String cluster = request.path("clusterId").asText();
    if (!CLUSTER.matcher(cluster).matches()) {
      throw new IllegalArgumentException(
          "the input must have clusterId (j-...), found: " + request);
    }
    boolean lost = instances.any(cluster);
    new JsonLog(System.out, clock, context.getAwsRequestId())
        .info(
            lost ? "the cluster has lost instances" : "the cluster has all its instances",
            "cluster",
            cluster);
    MAPPER.writeValue(output, Map.of("lost", lost));
  }
}
