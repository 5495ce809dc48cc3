package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.MotoServer;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * AWS Secrets Manager, as moto emulates it.
 *
 * @param endpoint of the service
 */
record SecretsManager(URI endpoint) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String REGION = "eu-west-1";

  static SecretsManager start(Path log) throws IOException, InterruptedException {
    return new SecretsManager(MotoServer.start(log).endpoint());
  }

  /** Creates a secret; returns its ARN. */
  String create(Map<String, String> secret) throws IOException, InterruptedException {
    Map<String, String> request =
        Map.of(
            "Name", "AmazonMSK_rollup",
            "SecretString", MAPPER.writeValueAsString(secret),
            "ClientRequestToken", UUID.randomUUID().toString());
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(endpoint)
                    .header("Content-Type", "application/x-amz-json-1.1")
                    .header("X-Amz-Target", "secretsmanager.CreateSecret")
                    .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=test/20261121/"
                            + REGION
                            + "/secretsmanager/aws4_request, SignedHeaders=host, Signature=0")
                    .POST(HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(request)))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return MAPPER.readTree(answer.body()).get("ARN").textValue();
  }

  /** What the job's environment has on AWS. */
  Map<String, String> environment() {
    return Map.of(
        "AWS_ENDPOINT_URL_SECRETS_MANAGER", endpoint.toString(),
        "AWS_ACCESS_KEY_ID", "test",
        "AWS_SECRET_ACCESS_KEY", "test");
  }

  /** The AWS SDK, as EMR's class path has it. */
  static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(jar -> jar.contains("/awssdk/") || jar.contains("/reactive-streams/"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
