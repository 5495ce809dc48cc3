package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.RejectBatch;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;

/** The rejected lines of one task; the file is made with the first of them. */
final class UnitRejects implements Closeable {
  /** Bytes that wait in memory, about. */
  private static final int BUFFER = 1 << 20;

  private final RejectDir dir;
  private final Path file;
  private final RejectBatch batch;
  private OutputStream out;

  UnitRejects(RejectDir dir, int unit, long attempt, int maxSamples) {
    this.dir = dir;
    this.file = dir.file(unit, attempt);
    this.batch = new RejectBatch(maxSamples);
  }

  RejectBatch batch() {
    return batch;
  }

  /** Writes what waits if it is much. */
  void flushIfLarge() {
    if (batch.size() > BUFFER) {
      flush();
    }
  }

  private void flush() {
    byte[] lines = batch.drain();
    if (lines.length == 0) {
      return;
    }
    try {
      if (out == null) {
        out = dir.files().create(file, true);
      }
      out.write(lines);
    } catch (IOException e) {
      throw dir.failed(e);
    }
  }

  /** Writes all; the name of the file, empty if there is none. */
  String finish() {
    flush();
    if (out == null) {
      return "";
    }
    close();
    return file.getName();
  }

  @Override
  public void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      throw dir.failed(e);
    }
  }
}
