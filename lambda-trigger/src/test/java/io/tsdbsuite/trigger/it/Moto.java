package io.tsdbsuite.trigger.it;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.PythonPackages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.datapipeline.DataPipelineClient;
import software.amazon.awssdk.services.sfn.SfnClient;

/** AWS's Step Functions and Data Pipeline, as moto emulates them, in a process of its own. */
final class Moto {
  private static final String MACHINE =
      "{\"StartAt\":\"Rollup\",\"States\":{\"Rollup\":{\"Type\":\"Pass\",\"End\":true}}}";

  private final URI endpoint;
  private final SfnClient stepFunctions;
  private final DataPipelineClient dataPipeline;

  private Moto(int port) {
    endpoint = URI.create("http://127.0.0.1:" + port);
    StaticCredentialsProvider credentials =
        StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));
    stepFunctions =
        SfnClient.builder()
            .httpClient(UrlConnectionHttpClient.create())
            .endpointOverride(endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(credentials)
            .build();
    dataPipeline =
        DataPipelineClient.builder()
            .httpClient(UrlConnectionHttpClient.create())
            .endpointOverride(endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(credentials)
            .build();
  }

  /** Starts a moto process that ends with this JVM. */
  static Moto start(Path log) throws IOException, InterruptedException {
    String version = System.getProperty("moto.version");
    PythonPackages packages =
        PythonPackages.install(
            "moto-" + version, "moto[s3,stepfunctions,datapipeline,server]==" + version);
    int port = FreePorts.next();
    Process process =
        packages
            .python("-m", "moto.server", "-H", "127.0.0.1", "-p", Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Await.until(
        "moto on port " + port + ", see " + log,
        Duration.ofMinutes(1),
        () -> {
          if (!process.isAlive()) {
            throw new IOException("moto ended with " + process.exitValue() + ", see " + log);
          }
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
          } catch (IOException e) {
            return false;
          }
        });
    return new Moto(port);
  }

  URI endpoint() {
    return endpoint;
  }

  SfnClient stepFunctions() {
    return stepFunctions;
  }

  DataPipelineClient dataPipeline() {
    return dataPipeline;
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
