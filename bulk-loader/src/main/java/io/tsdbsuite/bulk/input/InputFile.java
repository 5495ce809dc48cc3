package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.parse.ByteOrderMark;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A file of the input, or standard input. Thread-safe. */
public final class InputFile {
  /** Stored bytes of standard input that may be looked at before they are read. */
  static final int PEEK = 1 << 20;

  private static final int BUFFER = 1 << 16;

  /** Maximum number of bytes of text that are read again to find the exact offset of damage. */
  private static final long MOST_TO_LOCATE = 64L << 20;

  private final String name;
  private final long size;
  private final long modifiedMillis;
  private final Opener opener;
  private final LongAdder read = new LongAdder();
  private @Nullable Compression compression;

  /** Gives the bytes of a file. */
  interface Opener {
    /** The bytes as they are stored, from an offset on. */
    InputStream open(long offset) throws IOException;

    /** The first bytes; they can be opened after that as before. */
    default byte[] peek(int bytes) throws IOException {
      try (InputStream in = open(0)) {
        return in.readNBytes(bytes);
      }
    }
  }

  InputFile(String name, long size, long modifiedMillis, Opener opener) {
    this.name = name;
    this.size = size;
    this.modifiedMillis = modifiedMillis;
    this.opener = opener;
  }

  /** Name in messages and reports: a path, a URI, or {@code -}. */
  public String name() {
    return name;
  }

  /** Stored size, bytes; -1 for standard input. */
  public long size() {
    return size;
  }

  /** Time of the last modification, milliseconds since the epoch, -1 for standard input. */
  public long modifiedMillis() {
    return modifiedMillis;
  }

  /** Stored bytes read so far, of all streams. Any thread may call this method at any time. */
  public long bytesRead() {
    return read.sum();
  }

  private void counted(long bytes, LongConsumer count) {
    read.add(bytes);
    count.accept(bytes);
  }

  /** Whether this is standard input, which can be opened once. */
  public boolean isStdin() {
    return size < 0;
  }

  /**
   * Its compression, by its first bytes; reads them at the first call.
   *
   * @throws JobException when it cannot be read, or is compressed in an unsupported format
   */
  public synchronized Compression compression() {
    Compression found =
        compression == null ? Compression.of(name, peek(Compression.MAGIC)) : compression;
    compression = found;
    return found;
  }

  /**
   * The beginning of the text, decompressed, without a byte order mark; for standard input at most
   * its first megabyte.
   *
   * @throws JobException as {@link #open}
   */
  public byte[] head(int bytes) {
    byte[] head = start(bytes + ByteOrderMark.length());
    int mark = ByteOrderMark.length(head, 0, head.length);
    return Arrays.copyOfRange(head, mark, Math.min(head.length, mark + bytes));
  }

  private byte[] start(int bytes) {
    if (!isStdin()) {
      try (InputStream in = open(0)) {
        return in.readNBytes(bytes);
      } catch (IOException e) {
        throw CheckedStream.failure(name, 0, e);
      }
    }
    byte[] head = new byte[bytes];
    int len = 0;
    byte[] stored = peek(PEEK);
    try (InputStream in = compression().decompress(new ByteArrayInputStream(stored))) {
      for (int n = 0; n >= 0 && len < bytes; n = in.read(head, len, bytes - len)) {
        len += n;
      }
    } catch (IOException e) {
      // Expected: only the first megabyte was given to the decompressor.
    }
    return Arrays.copyOf(head, len);
  }

  /**
   * Opens it, decompressed. Failures while reading are a {@link JobException} that names the file,
   * the decompressed offset (behind the first 64 MB up to a read's length too small) and the cause:
   * bad input if the compressed data are corrupt or truncated, outside if the storage fails.
   *
   * @param offset decompressed bytes to skip; a compressed file is still read from its start
   * @throws JobException when it cannot be opened
   */
  public InputStream open(long offset) {
    return open(offset, bytes -> {});
  }

  /**
   * The same, counted.
   *
   * @param count receives the stored bytes of each read
   * @throws JobException when it cannot be opened
   */
  InputStream open(long offset, LongConsumer count) {
    if (isStdin() || offset > 0) {
      compression();
    }
    InputStream opened = null;
    try {
      boolean seek = known() == Compression.PLAIN && !isStdin();
      opened = new RawStream(opener.open(seek ? offset : 0), bytes -> counted(bytes, count));
      if (seek) {
        return new CheckedStream(name, offset, size, opened, good -> good);
      }
      BufferedInputStream stored = new BufferedInputStream(opened, BUFFER);
      Compression known = known();
      Compression how = known == null ? look(stored) : known;
      long end = how == Compression.PLAIN ? size : -1;
      opened = new CheckedStream(name, 0, end, how.decompress(stored), good -> locate(how, good));
      opened.skipNBytes(offset);
      return opened;
    } catch (IOException e) {
      close(opened);
      throw opened == null ? unreadable(e) : CheckedStream.failure(name, 0, e);
    } catch (JobException e) {
      close(opened);
      throw e;
    }
  }

  /**
   * Where the compressed text breaks off: reads it once more, the last bytes one by one, unless
   * that takes long.
   */
  private long locate(Compression how, long good) {
    if (isStdin() || how == Compression.PLAIN || good > MOST_TO_LOCATE) {
      return good;
    }
    long at = good;
    try (InputStream stored = new BufferedInputStream(opener.open(0), BUFFER);
        InputStream text = how.decompress(stored)) {
      text.skipNBytes(good);
      while (text.read() >= 0) {
        at++;
      }
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // The break.
      return at;
    }
    return at;
  }

  @Override
  public String toString() {
    return name;
  }

  private synchronized @Nullable Compression known() {
    return compression;
  }

  /** Avoids a second opening of small files. */
  private synchronized Compression look(BufferedInputStream in) throws IOException {
    in.mark(Compression.MAGIC);
    Compression found = Compression.of(name, in.readNBytes(Compression.MAGIC));
    compression = found;
    in.reset();
    return found;
  }

  private byte[] peek(int bytes) {
    try {
      return opener.peek(bytes);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private JobException unreadable(IOException e) {
    return JobException.outside(name + ": cannot be read: " + StorageFailures.reason(e), e);
  }

  private static void close(@Nullable InputStream in) {
    try {
      if (in != null) {
        in.close();
      }
    } catch (IOException e) {
      // The earlier failure is reported.
    }
  }

  /** Standard input: it can be looked at again and again, and opened once. */
  static final class Stdin implements InputFile.Opener {
    private final InputStream in;
    private boolean opened;

    Stdin(InputStream in) {
      this.in = new BufferedInputStream(in, 1 << 16);
    }

    @Override
    public synchronized InputStream open(long offset) throws IOException {
      if (opened) {
        throw new IOException("standard input can be read once");
      }
      opened = true;
      in.skipNBytes(offset);
      return in;
    }

    @Override
    public synchronized byte[] peek(int bytes) throws IOException {
      in.mark(bytes);
      byte[] head = in.readNBytes(bytes);
      in.reset();
      return head;
    }
  }
}
