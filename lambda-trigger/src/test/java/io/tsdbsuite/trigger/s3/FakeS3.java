package io.tsdbsuite.trigger.s3;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** One bucket in memory, for unit tests; the integration tests have a real server. */
public final class FakeS3 implements S3Client {
  private static final int PAGE = 1000;

  private record Stored(byte[] bytes, long size, String etag) {}

  private final NavigableMap<String, Stored> objects = new TreeMap<>();
  private int uploads;
  private int lists;
  private int gets;

  /** A store over this bucket. */
  public ObjectStore store() {
    return new ObjectStore(this);
  }

  /** Writes an object; each upload has another ETag. */
  public synchronized void put(String key, byte[] bytes) {
    objects.put(key, new Stored(bytes, bytes.length, "\"" + ++uploads + "\""));
  }

  /** Writes a text. */
  public void put(String key, String text) {
    put(key, text.getBytes(StandardCharsets.UTF_8));
  }

  /** An object that is listed and has no content. */
  public synchronized void putSize(String key, long size) {
    objects.put(key, new Stored(new byte[0], size, "\"" + ++uploads + "\""));
  }

  public synchronized void remove(String key) {
    objects.remove(key);
  }

  public synchronized byte[] bytes(String key) {
    return objects.get(key).bytes;
  }

  public synchronized List<String> keys() {
    return List.copyOf(objects.keySet());
  }

  /** The number of list requests. */
  public synchronized int lists() {
    return lists;
  }

  /** The number of get requests. */
  public synchronized int gets() {
    return gets;
  }

  @Override
  public synchronized <T> T getObject(
      GetObjectRequest request, ResponseTransformer<GetObjectResponse, T> transformer) {
    gets++;
    Stored stored = objects.get(request.key());
    if (stored == null) {
      throw NoSuchKeyException.builder().statusCode(404).message(request.key()).build();
    }
    GetObjectResponse response =
        GetObjectResponse.builder().eTag(stored.etag).contentLength(stored.size).build();
    try {
      return transformer.transform(
          response, AbortableInputStream.create(new ByteArrayInputStream(stored.bytes)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public ResponseInputStream<GetObjectResponse> getObject(GetObjectRequest request) {
    return getObject(request, ResponseTransformer.toInputStream());
  }

  @Override
  public synchronized ListObjectsV2Response listObjectsV2(ListObjectsV2Request request) {
    lists++;
    List<S3Object> page = new ArrayList<>();
    boolean more = false;
    String from = request.startAfter().isEmpty() ? request.prefix() : request.startAfter();
    for (Map.Entry<String, Stored> object : objects.tailMap(from, false).entrySet()) {
      if (!object.getKey().startsWith(request.prefix())) {
        if (object.getKey().compareTo(request.prefix()) > 0) {
          break;
        }
        continue;
      }
      if (page.size() == PAGE) {
        more = true;
        break;
      }
      page.add(S3Object.builder().key(object.getKey()).size(object.getValue().size).build());
    }
    return ListObjectsV2Response.builder().contents(page).isTruncated(more).build();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}
}
