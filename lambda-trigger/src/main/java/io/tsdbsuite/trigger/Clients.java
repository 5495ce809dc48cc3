package io.tsdbsuite.trigger;

import io.tsdbsuite.trigger.s3.ObjectStore;
import java.time.Duration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.datapipeline.DataPipelineClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sfn.SfnClient;

/**
 * The SDK's clients, over one HTTP client. Region, credentials and endpoints are those of the
 * environment, as everywhere in AWS.
 */
final class Clients {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration READ = Duration.ofSeconds(30);

  private final SdkHttpClient http =
      UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(READ).build();

  ObjectStore objectStore() {
    return new ObjectStore(S3Client.builder().httpClient(http).build());
  }

  SfnClient stepFunctions() {
    return SfnClient.builder().httpClient(http).build();
  }

  /** Without the SDK's own tries: the second of two activations is not the same as the first. */
  DataPipelineClient dataPipeline() {
    return DataPipelineClient.builder()
        .httpClient(http)
        .overrideConfiguration(
            configuration -> configuration.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }
}
