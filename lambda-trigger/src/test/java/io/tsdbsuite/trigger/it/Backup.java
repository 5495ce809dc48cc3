package io.tsdbsuite.trigger.it;

import io.tsdbsuite.testkit.S3Server;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A bucket of the testkit's S3 server, written like an exporter writes it. */
final class Backup {
  static final String BUCKET = "backup";

  private final S3Client client;

  Backup(S3Server server) {
    server.createBucket(BUCKET);
    client =
        S3Client.builder()
            .httpClient(UrlConnectionHttpClient.create())
            .endpointOverride(server.endpoint())
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(server.accessKey(), server.secretKey())))
            .build();
  }

  /** Keys below a prefix, relative to it, without directories' markers. */
  List<String> keys(String prefix) {
    List<String> keys = new ArrayList<>();
    for (S3Object object :
        client
            .listObjectsV2Paginator(request -> request.bucket(BUCKET).prefix(prefix + "/"))
            .contents()) {
      if (!object.key().endsWith("/")) {
        keys.add(object.key().substring(prefix.length() + 1));
      }
    }
    return keys;
  }

  byte[] get(String key) {
    return client.getObjectAsBytes(request -> request.bucket(BUCKET).key(key)).asByteArrayUnsafe();
  }

  void put(String key, byte[] bytes) {
    client.putObject(request -> request.bucket(BUCKET).key(key), RequestBody.fromBytes(bytes));
  }

  void delete(String key) {
    client.deleteObject(request -> request.bucket(BUCKET).key(key));
  }

  /** Copies an object to the same path below another root. */
  void copy(String fromRoot, String toRoot, String key) {
    put(toRoot + "/" + key, get(fromRoot + "/" + key));
  }

  /** Copies all objects to the same paths below another root. */
  void copyAll(String fromRoot, String toRoot) {
    keys(fromRoot).forEach(key -> copy(fromRoot, toRoot, key));
  }
}
