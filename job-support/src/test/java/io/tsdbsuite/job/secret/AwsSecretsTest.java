package io.tsdbsuite.job.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers that moto does not give; SecuredKafkaIT has moto's Secrets Manager. */
class AwsSecretsTest {
  private static final String ARN =
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:AmazonMSK_rollup-AbCdEf";
  private static final String ACCESS_KEY = "aws.accessKeyId";
  private static final String SECRET_KEY = "aws.secretAccessKey";

  private record Answer(int status, String body) {}

  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<String> requests = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    System.setProperty(ACCESS_KEY, "AKIDEXAMPLE");
    System.setProperty(SECRET_KEY, "hunter3");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    System.clearProperty(ACCESS_KEY);
    System.clearProperty(SECRET_KEY);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String signature = exchange.getRequestHeaders().getFirst("Authorization");
      requests.add(
          exchange.getRequestHeaders().getFirst("X-Amz-Target")
              + " "
              + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
              + " "
              + signature.substring(0, signature.indexOf(", Signature")));
      Answer answer = answers.remove();
      byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private AwsSecrets secrets() {
    return new AwsSecrets(
        Map.of(
            "AWS_ENDPOINT_URL",
            "http://127.0.0.1:1",
            "AWS_ENDPOINT_URL_SECRETS_MANAGER",
            "http://127.0.0.1:" + server.getAddress().getPort()),
        Duration.ZERO);
  }

  private SecretException failure() {
    return catchThrowableOfType(SecretException.class, () -> secrets().read(ARN));
  }

  @Test
  void read() throws SecretException {
    answers.add(new Answer(200, "{\"ARN\":\"x\",\"SecretString\":\"{\\\"a\\\":\\\"\u00e4\\\"}\"}"));
    assertThat(secrets().read(ARN)).isEqualTo("{\"a\":\"\u00e4\"}");
    assertThat(requests)
        .singleElement()
        .asString()
        .startsWith(
            "secretsmanager.GetSecretValue {\"SecretId\":\"" + ARN + "\"} AWS4-HMAC-SHA256 ")
        .contains("/eu-west-1/secretsmanager/aws4_request")
        .contains("content-type;host;");
  }

  @ParameterizedTest
  @CsvSource({
    "ResourceNotFoundException, Secrets Manager can't find the specified secret.",
    "com.amazonaws#AccessDeniedException, User r is not authorized",
  })
  void refusals(String type, String message) {
    answers.add(new Answer(400, "{\"__type\":\"" + type + "\",\"Message\":\"" + message + "\"}"));
    SecretException failure = failure();
    assertThat(failure.isOutside()).isFalse();
    assertThat(failure)
        .hasMessage(
            "AWS Secrets Manager refuses: status 400 "
                + type.substring(type.indexOf('#') + 1)
                + " "
                + message);
    assertThat(requests).hasSize(1);
  }

  @Test
  void binary() {
    answers.add(new Answer(200, "{\"SecretBinary\":\"aHVudGVyMg==\"}"));
    assertThat(failure()).hasMessage("the secret is binary; it must be text");
  }

  @Test
  void triesAgain() throws SecretException {
    answers.add(new Answer(503, "<html>hunter2"));
    answers.add(new Answer(400, "{\"__type\":\"ThrottlingException\",\"message\":\"slower\"}"));
    answers.add(new Answer(200, "{\"SecretString\":\"s\"}"));
    assertThat(secrets().read(ARN)).isEqualTo("s");
    for (int i = 0; i < 3; i++) {
      answers.add(new Answer(503, "<html>hunter2"));
    }
    SecretException failure = failure();
    assertThat(failure.isOutside()).isTrue();
    assertThat(failure).hasMessage("AWS Secrets Manager refuses: status 503").hasNoCause();
  }

  @Test
  void noServer() {
    server.stop(0);
    SecretException failure = failure();
    assertThat(failure.isOutside()).isTrue();
    assertThat(failure)
        .hasMessageContaining("AWS Secrets Manager cannot be reached (java.net.ConnectException")
        .hasMessageContaining("a private subnet needs a route to it")
        .hasNoCause();
  }

  @Test
  void endpoints() throws SecretException {
    assertThat(AwsSignature.endpoint("eu-west-1"))
        .isEqualTo(URI.create("https://secretsmanager.eu-west-1.amazonaws.com/"));
    assertThat(AwsSignature.endpoint("cn-north-1"))
        .isEqualTo(URI.create("https://secretsmanager.cn-north-1.amazonaws.com.cn/"));
    assertThatThrownBy(
            () -> new AwsSecrets(Map.of("AWS_ENDPOINT_URL", ":"), Duration.ZERO).read(ARN))
        .hasMessage("AWS_ENDPOINT_URL must be a URL, found: :");
  }
}
