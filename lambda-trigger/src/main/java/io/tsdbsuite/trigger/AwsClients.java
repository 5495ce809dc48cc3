package io.tsdbsuite.trigger;

import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck;
import java.time.Duration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.emr.EmrClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sfn.SfnClient;

/**
 * Creates the AWS SDK's clients, which share one HTTP client. Region, credentials and endpoints
 * come from the environment.
 */
final class AwsClients {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration READ = Duration.ofSeconds(30);

  private final SdkHttpClient http;

  AwsClients() {
    // The JDK's client keeps 5 idle connections to a host; the threads of the snapshot check would
    // make a new one, with its TLS handshake, for most pages. The JDK reads this property once.
    System.setProperty("http.maxConnections", Integer.toString(SnapshotCheck.THREADS));
    http = UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(READ).build();
  }

  ObjectStore objectStore() {
    return new ObjectStore(S3Client.builder().httpClient(http).build());
  }

  /** For buckets of another region; S3 redirects a request that goes to the wrong one. */
  ObjectStore objectStore(String region) {
    return new ObjectStore(S3Client.builder().httpClient(http).region(Region.of(region)).build());
  }

  EmrClient emr() {
    return EmrClient.builder().httpClient(http).build();
  }

  SfnClient stepFunctions() {
    return SfnClient.builder().httpClient(http).build();
  }
}
