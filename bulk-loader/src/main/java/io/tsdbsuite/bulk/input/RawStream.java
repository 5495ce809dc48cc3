package io.tsdbsuite.bulk.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** The stored bytes. It marks failures of the storage, to distinguish them from corrupt data. */
final class RawStream extends InputStream {
  /** The storage failed. */
  static final class StorageException extends IOException {
    private static final long serialVersionUID = 1L;

    StorageException(IOException cause) {
      super(cause.toString(), cause);
    }
  }

  private final InputStream in;
  private final LongConsumer count;

  /**
   * A stream.
   *
   * @param count receives the bytes of each read
   */
  RawStream(InputStream in, LongConsumer count) {
    this.in = in;
    this.count = count;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int n = read(one, 0, 1);
    return n < 0 ? n : one[0] & 0xff;
  }

  @Override
  public int read(byte[] b, int off, int len) throws IOException {
    try {
      int n = in.read(b, off, len);
      if (n > 0) {
        count.accept(n);
      }
      return n;
    } catch (IOException e) {
      throw new StorageException(e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
