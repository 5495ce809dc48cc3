package io.tsdbsuite.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.trigger.log.JsonLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.Map;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.emr.EmrClient;
import software.amazon.awssdk.services.emr.model.InstanceFleetType;
import software.amazon.awssdk.services.emr.model.InstanceState;

/**
 * The state machine's task before it terminates a cluster after a failure. Takes {@code
 * {"clusterId":"j-..."}}; returns {@code {"lost":true}} if the cluster has lost an instance of its
 * task fleet, so that another attempt may succeed. The answer has a constant size: the list of all
 * instances could exceed the limit of an execution's state. Needs no environment.
 */
public final class LostInstancesHandler implements RequestStreamHandler {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern CLUSTER = Pattern.compile("j-[A-Za-z0-9]+");

  private final EmrClient client;
  private final Clock clock = Clock.systemUTC();

  /** Lambda's runtime calls it. */
  public LostInstancesHandler() {
    this(new AwsClients().emr());
  }

  LostInstancesHandler(EmrClient client) {
    this.client = client;
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
    boolean lost = hasLost(cluster);
    new JsonLog(System.out, clock, context.getAwsRequestId())
        .info(
            lost ? "the cluster has lost instances" : "the cluster has all its instances",
            "cluster",
            cluster);
    MAPPER.writeValue(output, Map.of("lost", lost));
  }

  /**
   * Whether a cluster has lost instances of its task fleet: ended ones while the cluster runs, as
   * with spot capacity that EC2 takes back. Reads pages of ended instances until one has an
   * instance.
   *
   * @param cluster id of a cluster that has not been terminated
   */
  boolean hasLost(String cluster) {
    return client
        .listInstancesPaginator(
            request ->
                request
                    .clusterId(cluster)
                    .instanceFleetType(InstanceFleetType.TASK)
                    .instanceStates(InstanceState.TERMINATED))
        .stream()
        .anyMatch(page -> !page.instances().isEmpty());
  }
}
