package io.tsdbsuite.trigger.s3;

import java.io.IOException;
import java.io.InputStream;

/**
 * An object that is being read; whoever has it closes it.
 *
 * @param etag changes with each upload of other bytes
 * @param size bytes
 * @param stream the bytes
 */
public record StoredObject(String etag, long size, InputStream stream) implements AutoCloseable {

  /**
   * All bytes.
   *
   * @param limit the largest size that makes sense
   * @throws IOException when reading fails, or the object is larger
   */
  public byte[] bytes(int limit) throws IOException {
    if (size > limit) {
      throw new IOException("has " + size + " bytes where at most " + limit + " make sense");
    }
    return stream.readAllBytes();
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
