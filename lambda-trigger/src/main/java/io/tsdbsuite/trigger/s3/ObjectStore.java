package io.tsdbsuite.trigger.s3;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
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
public record ObjectStore(S3Client client) {
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
   * A page of a listing of the objects below a prefix.
   *
   * @param objects sorted by the UTF-8 bytes of their keys
   * @param more whether further objects follow
   */
  public record ObjectPage(List<Entry> objects, boolean more) {
    /**
     * An object.
     *
     * @param key its key
     * @param size its size, bytes
     */
    public record Entry(String key, long size) {}
  }

  /**
   * An object opened for reading; the caller must close it.
   *
   * @param etag version of the content
   * @param size bytes
   * @param stream the bytes
   */
  public record StoredObject(String etag, long size, InputStream stream) implements AutoCloseable {

    /**
     * Reads all bytes.
     *
     * @param limit the largest allowed size, bytes
     * @throws IOException when reading fails, or the object exceeds the limit
     */
    public byte[] bytes(int limit) throws IOException {
      if (size > limit) {
        throw new IOException("has " + size + " bytes, more than the limit of " + limit + "");
      }
      return stream.readAllBytes();
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
