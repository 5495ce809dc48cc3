package io.tsdbsuite.job.secret;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;

/** Requests for secrets with AWS's signature. The class needs the AWS SDK for Java 2. */
final class AwsSignature {
  private static final String SERVICE = "secretsmanager";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Headers that the JDK's client sets itself. */
  private static final Set<String> OF_CLIENT = Set.of("host", "content-length");

  private AwsSignature() {}

  /** AWS's endpoint in a region. */
  static URI endpoint(String region) {
    return URI.create(
        "https://%s.%s.%s/"
            .formatted(SERVICE, region, PartitionMetadata.of(Region.of(region)).dnsSuffix()));
  }

  /**
   * A signed GetSecretValue.
   *
   * @throws SecretException configuration, when there are no credentials
   */
  static HttpRequest sign(URI endpoint, String region, byte[] body) throws SecretException {
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(endpoint)
            .putHeader("Content-Type", "application/x-amz-json-1.1")
            .putHeader("X-Amz-Target", SERVICE + ".GetSecretValue")
            .build();
    AwsCredentialsIdentity credentials = credentials();
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(
                builder ->
                    builder
                        .identity(credentials)
                        .request(request)
                        .payload(() -> new ByteArrayInputStream(body))
                        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region));
    HttpRequest.Builder http =
        HttpRequest.newBuilder(endpoint)
            .timeout(TIMEOUT)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    signed
        .request()
        .forEachHeader(
            (name, values) -> {
              if (!OF_CLIENT.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> http.header(name, value));
              }
            });
    return http.build();
  }

  private static AwsCredentialsIdentity credentials() throws SecretException {
    try (DefaultCredentialsProvider provider = DefaultCredentialsProvider.builder().build()) {
      return provider.resolveCredentials();
    } catch (SdkClientException e) {
      throw SecretException.configuration("there are no AWS credentials: " + e.getMessage());
    }
  }
}
