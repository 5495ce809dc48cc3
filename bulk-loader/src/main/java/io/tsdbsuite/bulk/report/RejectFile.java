package io.tsdbsuite.bulk.report;

import io.tsdbsuite.bulk.error.LoadException;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Where rejected lines go, each below a comment that says where it comes from and what is wrong.
 * Comments are no input, so the file can be loaded as it is once its lines are corrected.
 *
 * <pre>
 *   # history/a.gz:17 badValue: a value must be a number, found 'x'
 *   sys.cpu.user 1600000000 x host=web01
 * </pre>
 *
 * <p>The file is made when the first line is rejected. Safe to share between threads; each has a
 * batch of its own.
 */
public final class RejectFile implements Closeable {
  private final Path path;
  private final RejectSamples samples;
  private final List<RejectBatch> batches = new ArrayList<>();
  private FileChannel channel;
  private long length;

  private RejectFile(Path path, int maxSamples) {
    this.path = path;
    samples = new RejectSamples(maxSamples);
  }

  /**
   * The reject file of a new load; a file that is there is emptied.
   *
   * @param maxSamples how many rejects are kept for the report
   * @throws LoadException outside, when the disk fails
   */
  public static RejectFile create(Path path, int maxSamples) {
    return resume(path, 0, maxSamples, new Tally());
  }

  /**
   * The reject file of a load that goes on: what was not committed is cut off.
   *
   * @param committed what {@link #commit} answered last, bytes; 0 if it never did
   * @param tally whose rejects the file has
   * @throws LoadException usage, when the file is shorter than that; outside, when the disk fails
   */
  public static RejectFile resume(Path path, long committed, int maxSamples, Tally tally) {
    RejectFile file = new RejectFile(path, maxSamples);
    file.samples.counted(tally);
    try {
      file.cut(committed);
    } catch (IOException e) {
      throw file.failed(e);
    }
    return file;
  }

  private void cut(long committed) throws IOException {
    long found = Files.exists(path) ? Files.size(path) : 0;
    if (found < committed) {
      throw LoadException.usage(
          "the reject file "
              + path
              + " must have at least the "
              + committed
              + " bytes that the load has written to it, found "
              + found);
    }
    if (found > 0) {
      length = committed;
      open();
      readSamples();
    }
  }

  private void open() throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.truncate(length);
    channel.position(length);
  }

  private void readSamples() throws IOException {
    // Lines need not be UTF-8, and a reader is strict about it.
    try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      while (!samples.full()) {
        String comment = reader.readLine();
        String text = comment == null ? null : reader.readLine();
        RejectSample sample = text == null ? null : RejectComment.read(utf8(comment), shown(text));
        if (sample == null) {
          return;
        }
        samples.add(sample);
      }
    }
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static String shown(String bytes) {
    return RejectSamples.shown(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A batch for one thread. */
  public synchronized RejectBatch batch() {
    RejectBatch batch = new RejectBatch(samples);
    batches.add(batch);
    return batch;
  }

  /**
   * Brings the rejects of a batch to the disk and empties it. This and the entry in the journal
   * that names the length belong under one lock: else another batch's rejects may be below that
   * length while its own entry is still missing.
   *
   * @return length of the file, bytes
   * @throws LoadException outside, when the disk fails
   */
  public synchronized long commit(RejectBatch batch) {
    try {
      write(batch.drain());
      return length;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void write(byte[] lines) throws IOException {
    if (lines.length == 0) {
      return;
    }
    if (channel == null) {
      open();
    }
    ByteBuffer rest = ByteBuffer.wrap(lines);
    while (rest.hasRemaining()) {
      channel.write(rest);
    }
    channel.force(true);
    length += lines.length;
  }

  /**
   * Writes what all batches have, for a person to read: the load ends here.
   *
   * @throws LoadException outside, when the disk fails
   */
  public synchronized void flush() {
    batches.forEach(this::commit);
  }

  /** Where it is, or would be. */
  public Path path() {
    return path;
  }

  /** The first rejects, written or not. */
  public List<RejectSample> samples() {
    return samples.samples();
  }

  /** Rejects by reason, written or not, those before a resume included. */
  public Tally counts() {
    return samples.counts();
  }

  /** Writes what all batches have, and closes the file. */
  @Override
  public synchronized void close() {
    flush();
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private LoadException failed(IOException e) {
    return LoadException.outside("the reject file " + path + " cannot be written: " + e, e);
  }
}
