package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.RollupPoint;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the lines of one task attempt to a temporary file, which the commit moves. */
final class JsonSink implements RollupSink {
  private static final Logger LOG = LoggerFactory.getLogger(JsonSink.class);
  private static final int BUFFER_BYTES = 64 << 10;

  private final Configuration configuration;
  private final Path file;
  private final int partition;
  private final MessageEncoder encoder;

  /** Null before the first point and after close. */
  private @Nullable OutputStream out;

  private long points;
  private boolean created;
  private boolean finished;

  /**
   * @param asOf timestamp of the lines, milliseconds since the epoch
   */
  JsonSink(Configuration configuration, Path file, long asOf, int partition) {
    this.configuration = configuration;
    this.file = file;
    this.encoder = MessageEncoder.jsonLine(asOf);
    this.partition = partition;
  }

  @Override
  public void emit(RollupPoint point) throws SinkException {
    ByteArrayOutputStream line = encoder.encode(point, 0);
    line.write('\n');
    try {
      if (out == null) {
        FileSystem fileSystem = file.getFileSystem(configuration);
        created = true;
        // Not recursive: a task that outlives the job must not recreate the directory.
        out =
            new BufferedOutputStream(
                fileSystem.createFile(file).overwrite(true).build(), BUFFER_BYTES);
      }
      line.writeTo(out);
    } catch (IOException e) {
      throw HadoopFailures.sinkException("file " + file + " can't be written", e);
    }
    points++;
  }

  @Override
  public SinkResult finish() throws SinkException {
    if (out != null) {
      try {
        out.close();
      } catch (IOException e) {
        throw HadoopFailures.sinkException("file " + file + " can't be written", e);
      }
      out = null;
    }
    finished = true;
    return new SinkResult(partition, points, points, points, created ? file.toString() : null);
  }

  @Override
  public void abort() {
    finished = true;
    if (!created) {
      return;
    }
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      LOG.info("file {} of a failed task did not close: {}", file, e.toString());
    }
    out = null;
    try {
      file.getFileSystem(configuration).delete(file, false);
    } catch (IOException e) {
      // The driver removes the file's directory.
      LOG.warn("file {} of a failed task was not removed", file, e);
    }
  }

  @Override
  public void close() {
    if (!finished) {
      abort();
    }
  }
}
