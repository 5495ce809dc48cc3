package io.tsdbsuite.trigger.s3;

import java.io.IOException;
import java.io.InputStream;

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
