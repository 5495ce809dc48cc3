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
 * Objects of S3. Every method throws the SDK's own SdkException when S3 refuses, or cannot be
 * reached after the SDK's tries.
 */
public final class ObjectStore {
  /** Precondition Failed: somebody else was first. */
  private static final int PRECONDITION_FAILED = 412;

  /** Conflict: somebody else writes at this moment. */
  private static final int CONFLICT = 409;

  private final S3Client client;

  /** Over a client that is built already. */
  public ObjectStore(S3Client client) {
    this.client = client;
  }

  /** Begins to read an object; empty when there is none. */
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
   * @param prefix where keys begin
   * @param after only keys that sort behind this one
   */
  public Listing list(S3Location prefix, String after) {
    ListObjectsV2Response response =
        client.listObjectsV2(
            request ->
                request.bucket(prefix.bucket()).prefix(prefix.key() + "/").startAfter(after));
    return new Listing(
        response.contents().stream()
            .map(object -> new Listing.Entry(object.key(), object.size()))
            .toList(),
        Boolean.TRUE.equals(response.isTruncated()));
  }

  /**
   * Writes an object that must not be there.
   *
   * @return whether it was not; of several callers one is told so
   */
  public boolean create(S3Location place, byte[] bytes) {
    return put(place, bytes, request -> request.ifNoneMatch("*"));
  }

  /**
   * Writes an object in place of a known one.
   *
   * @param etag of the known one
   * @return whether that was still there; of several callers one is told so
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
      // What was to be replaced is gone.
      return false;
    } catch (S3Exception e) {
      if (e.statusCode() == PRECONDITION_FAILED || e.statusCode() == CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  /** Removes an object; one that is not there is removed already. */
  public void delete(S3Location place) {
    client.deleteObject(request -> request.bucket(place.bucket()).key(place.key()));
  }
}
