package io.tsdbsuite.job.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Secrets of AWS Secrets Manager, by ARN, with the credentials of the AWS SDK's default chain. Only
 * the SDK's core is needed, for credentials and signatures, which every class path with Hadoop's
 * S3A has; the module of Secrets Manager is not.
 */
final class AwsSecrets implements SecretSource {
  private static final Pattern ARN =
      Pattern.compile("arn:aws[a-z-]*:secretsmanager:([a-z0-9-]+):[0-9]{12}:secret:[^*:\\s]+");

  /** Errors of AWS after which the same request may succeed. */
  private static final Set<String> TRANSIENT =
      Set.of("ThrottlingException", "RequestLimitExceeded", "InternalServiceError");

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int SERVER_ERROR = 500;
  private static final int OK = 200;
  private static final int TRIES = 3;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, String> environment;
  private final Duration pause;

  /**
   * @param environment with AWS_ENDPOINT_URL_SECRETS_MANAGER or AWS_ENDPOINT_URL for another
   *     endpoint than AWS's
   * @param pause time before a request is repeated
   */
  AwsSecrets(Map<String, String> environment, Duration pause) {
    this.environment = environment;
    this.pause = pause;
  }

  @Override
  public String scheme() {
    return "aws-secret";
  }

  @Override
  public String read(String name) throws SecretException {
    Matcher arn = ARN.matcher(name);
    if (!arn.matches()) {
      throw SecretException.configuration(
          "must be the ARN of a secret (arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME)");
    }
    try {
      return new Request(name, arn.group(1)).answer();
    } catch (NoClassDefFoundError e) {
      throw SecretException.configuration(
          "the AWS SDK for Java 2 must be on the class path, as on EMR");
    }
  }

  /** A request for one secret; the only code that needs classes of the SDK, by AwsSignature. */
  private final class Request {
    private final String arn;
    private final String region;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();

    Request(String arn, String region) {
      this.arn = arn;
      this.region = region;
    }

    String answer() throws SecretException {
      SecretException failure = null;
      for (int tried = 0; tried < TRIES; tried++) {
        try {
          if (tried > 0) {
            Thread.sleep(pause.toMillis());
          }
          return text(once());
        } catch (IOException e) {
          failure =
              SecretException.outside(
                  "AWS Secrets Manager cannot be reached (%s); a private subnet needs a route to it"
                      .formatted(e));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw SecretException.outside("interrupted");
        } catch (SecretException e) {
          if (!e.isOutside()) {
            throw e;
          }
          failure = e;
        }
      }
      throw failure == null ? SecretException.outside("no answer") : failure;
    }

    private HttpResponse<String> once() throws IOException, InterruptedException, SecretException {
      byte[] body = MAPPER.writeValueAsBytes(Map.of("SecretId", arn));
      return client.send(
          AwsSignature.sign(endpoint(), region, body), HttpResponse.BodyHandlers.ofString());
    }

    private URI endpoint() throws SecretException {
      String given = environment.get("AWS_ENDPOINT_URL_SECRETS_MANAGER");
      if (given == null || given.isEmpty()) {
        given = environment.get("AWS_ENDPOINT_URL");
      }
      try {
        return given == null || given.isEmpty()
            ? AwsSignature.endpoint(region)
            : new URI(given).resolve("/");
      } catch (URISyntaxException | IllegalArgumentException e) {
        throw SecretException.configuration("AWS_ENDPOINT_URL must be a URL, found: " + given);
      }
    }

    /** The secret in an answer of Secrets Manager. */
    private String text(HttpResponse<String> response) throws SecretException {
      JsonNode answer = json(response.body());
      if (response.statusCode() != OK || answer == null) {
        String type = answer == null ? "" : answer.path("__type").asText();
        String error = type.substring(type.lastIndexOf('#') + 1);
        String message =
            "AWS Secrets Manager refuses: status "
                + response.statusCode()
                + " "
                + error
                + (answer == null ? "" : " " + message(answer));
        throw response.statusCode() >= SERVER_ERROR || TRANSIENT.contains(error)
            ? SecretException.outside(message.strip())
            : SecretException.configuration(message.strip());
      }
      JsonNode secret = answer.get("SecretString");
      if (secret == null || !secret.isTextual()) {
        throw SecretException.configuration("the secret is binary; it must be text");
      }
      return secret.textValue();
    }

    private static String message(JsonNode answer) {
      return answer.has("message")
          ? answer.path("message").asText()
          : answer.path("Message").asText();
    }

    /** Null when it is not JSON; without the exception, which quotes the text. */
    private static @Nullable JsonNode json(String text) {
      try {
        return MAPPER.readTree(text);
      } catch (JsonProcessingException e) {
        return null;
      }
    }
  }
}
