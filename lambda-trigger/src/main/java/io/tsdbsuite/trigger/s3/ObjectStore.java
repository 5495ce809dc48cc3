package io.tsdbsuite.trigger.s3;

import java.util.Optional;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * The S3 operations of the functions. Every method throws the SDK's SdkException when S3 rejects
 * the request, or cannot be reached after the SDK's retries.
 */
public final class ObjectStore {
  private final S3Client client;

  /** Uses this client. */
  public ObjectStore(S3Client client) {
    this.client = client;
  }

  /** Opens an object for reading; empty when it does not exist. */
  public Optional<StoredObject> get(S3Location place) {
    try {
      ResponseInputStream<GetObjectResponse> stream =
          client.getObject(request -> request.bucket(place.bucket()).key(place.key()));
      GetObjectResponse response = stream.response();
      return Optional.of(new StoredObject(response.eTag(), response.contentLength(), stream));
    } catch (NoSuchKeyException e) {
      return Optional.empty();
    }
  }

  /**
   * Lists up to 1000 objects.
   *
   * @param prefix prefix of the keys, without the slash at its end
   * @param after only keys that sort after this one
   */
  public ObjectPage list(S3Location prefix, String after) {
    ListObjectsV2Response response =
        client.listObjectsV2(
            request ->
                request.bucket(prefix.bucket()).prefix(prefix.key() + "/").startAfter(after));
    return new ObjectPage(
        response.contents().stream()
            .map(object -> new ObjectPage.Entry(object.key(), object.size()))
            .toList(),
        Boolean.TRUE.equals(response.isTruncated()));
  }
}
