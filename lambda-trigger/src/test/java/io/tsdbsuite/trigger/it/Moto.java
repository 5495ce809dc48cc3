package io.tsdbsuite.trigger.it;

import io.tsdbsuite.testkit.MotoServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.emr.EmrClient;
import software.amazon.awssdk.services.emr.model.InstanceGroupConfig;
import software.amazon.awssdk.services.sfn.SfnClient;

/** AWS's Step Functions and EMR, as moto emulates them, in a process of its own. */
final class Moto {
  private static final String MACHINE =
      "{\"StartAt\":\"Rollup\",\"States\":{\"Rollup\":{\"Type\":\"Pass\",\"End\":true}}}";

  private final URI endpoint;
  private final SfnClient stepFunctions;

  private Moto(URI endpoint) {
    this.endpoint = endpoint;
    StaticCredentialsProvider credentials =
        StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));
    stepFunctions =
        SfnClient.builder()
            .httpClient(UrlConnectionHttpClient.create())
            .endpointOverride(endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(credentials)
            .build();
  }

  /** Starts a moto process that ends with this JVM. */
  static Moto start(Path log) throws IOException, InterruptedException {
    return new Moto(MotoServer.start(log).endpoint());
  }

  URI endpoint() {
    return endpoint;
  }

  SfnClient stepFunctions() {
    return stepFunctions;
  }

  /** Creates a cluster with some instances; returns its id. */
  String cluster(int instances) {
    try (EmrClient emr =
        EmrClient.builder()
            .httpClient(UrlConnectionHttpClient.create())
            .endpointOverride(endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .build()) {
      InstanceGroupConfig group =
          InstanceGroupConfig.builder()
              .instanceRole("MASTER")
              .instanceType("m7g.xlarge")
              .instanceCount(instances)
              .build();
      return emr.runJobFlow(
              request ->
                  request
                      .name("rollup")
                      .jobFlowRole("node")
                      .serviceRole("emr")
                      .instances(
                          flow ->
                              flow.keepJobFlowAliveWhenNoSteps(true)
                                  .instanceGroups(instances == 0 ? List.of() : List.of(group))))
          .jobFlowId();
    }
  }

  /** Creates a state machine; returns its ARN. */
  String stateMachine(String name) {
    return stepFunctions
        .createStateMachine(
            request ->
                request
                    .name(name)
                    .definition(MACHINE)
                    .roleArn("arn:aws:iam::123456789012:role/rollup"))
        .stateMachineArn();
  }
}
