package io.tsdbsuite.trigger.s3;

import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The S3 operations of the functions. Every method throws the SDK's SdkException when S3 rejects
 * the request, or cannot be reached after the SDK's retries.
 */
public final class ObjectStore {
  /** Precondition Failed: another writer was first. */
  private static final int PRECONDITION_FAILED = 412;

  /** Conflict: another writer is writing now. */
  private static final int CONFLICT = 409;

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

  /**
   * Writes an object that must not exist.
   *
   * @return whether it did not exist; true for only one of several concurrent callers
   */
  public boolean create(S3Location place, byte[] bytes) {
    return put(place, bytes, request -> request.ifNoneMatch("*"));
  }

  /**
   * Replaces a known version of an object.
   *
   * @param etag the known version's ETag
   * @return whether this was still the current version; true for only one of several concurrent
   *     callers
   */
  public boolean replace(S3Location place, byte[] bytes, String etag) {
    return put(place, bytes, request -> request.ifMatch(etag));
  }

  private boolean put(
      S3Location place, byte[] bytes, Consumer<PutObjectRequest.Builder> condition) {
    try {
      client.putObject(
          request -> {
            request.bucket(place.bucket()).key(place.key()).contentType("application/json");
            condition.accept(request);
          },
          RequestBody.fromBytes(bytes));
      return true;
    } catch (NoSuchKeyException e) {
      // The object to replace does not exist any more.
      return false;
    } catch (S3Exception e) {
      if (e.statusCode() == PRECONDITION_FAILED || e.statusCode() == CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  /** Deletes an object; no-op if it does not exist. */
  public void delete(S3Location place) {
    client.deleteObject(request -> request.bucket(place.bucket()).key(place.key()));
  }
}
