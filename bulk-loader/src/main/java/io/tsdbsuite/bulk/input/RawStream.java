package io.tsdbsuite.bulk.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.LongAdder;

/** The bytes as stored; marks what fails here, so that it is not taken for corrupt data. */
final class RawStream extends InputStream {
  /** The storage failed. */
  static final class StorageException extends IOException {
    private static final long serialVersionUID = 1L;

    StorageException(IOException cause) {
      super(cause.toString(), cause);
    }
  }

  private final InputStream in;
  private final LongAdder meter;

  /**
   * @param meter gets the bytes read
   */
  RawStream(InputStream in, LongAdder meter) {
    this.in = in;
    this.meter = meter;
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
      meter.add(Math.max(0, n));
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
