package io.tsdbsuite.bulk.input;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Text of a file; failures name the file, the offset in the text and the cause. */
final class CheckedStream extends InputStream {
  private final String name;
  private final long size;
  private final InputStream in;
  private final LongUnaryOperator locator;
  private long offset;

  /**
   * A stream.
   *
   * @param offset offset of its first byte in the decompressed text, bytes
   * @param size offset at which the text must end, bytes; -1 if it is not known
   * @param locator gives, by the number of bytes read, the offset of the first byte of a corrupt
   *     text that cannot be read; that number if no more is known
   */
  CheckedStream(String name, long offset, long size, InputStream in, LongUnaryOperator locator) {
    this.name = name;
    this.offset = offset;
    this.size = size;
    this.in = in;
    this.locator = locator;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    int n = read(one, 0, 1);
    return n < 0 ? n : one[0] & 0xff;
  }

  @Override
  public int read(byte[] b, int off, int len) {
    int n;
    try {
      n = in.read(b, off, len);
    } catch (IOException e) {
      throw failure(e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // A decompressor fails so on corrupt data.
      throw failure(new IOException(e));
    }
    if (n > 0) {
      offset += n;
    } else if (n < 0 && offset < size) {
      throw JobException.badInput(
          name + ": ends at byte " + offset + ", was " + size + " bytes long when the load began");
    }
    return n;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private JobException failure(IOException e) {
    // A decompressor drops the bytes before the failure in the same call.
    return failure(name, storageFailure(e) == null ? locator.applyAsLong(offset) : offset, e);
  }

  private static @Nullable Throwable storageFailure(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof RawStream.StorageException) {
        return cause;
      }
    }
    return null;
  }

  /** Classifies an exception by its source. */
  static JobException failure(String name, long offset, IOException e) {
    String where = name + ": at byte " + offset + " of the text: ";
    Throwable storage = storageFailure(e);
    if (storage != null) {
      return JobException.outside(where + "cannot be read: " + storage.getMessage(), storage);
    }
    return JobException.badInput(where + Compression.explain(e), e);
  }
}
