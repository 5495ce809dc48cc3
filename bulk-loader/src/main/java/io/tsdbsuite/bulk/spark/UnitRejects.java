package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.RejectBatch;
import io.tsdbsuite.bulk.report.RejectForm;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;

/** The rejected lines of one task; the file of a form is made with the first of them. */
final class UnitRejects implements Closeable {
  /** Approximate bytes buffered in memory. */
  private static final int BUFFER = 1 << 20;

  private final RejectDir dir;
  private final int unit;
  private final long attempt;
  private final RejectBatch batch;
  private final Map<RejectForm, OutputStream> outs = new EnumMap<>(RejectForm.class);

  UnitRejects(RejectDir dir, int unit, long attempt, int maxSamples) {
    this.dir = dir;
    this.unit = unit;
    this.attempt = attempt;
    this.batch = new RejectBatch(maxSamples);
  }

  RejectBatch batch() {
    return batch;
  }

  /** Writes the buffered lines above a size limit. */
  void flushIfLarge() {
    if (batch.size() > BUFFER) {
      flush();
    }
  }

  private void flush() {
    for (Map.Entry<RejectForm, byte[]> lines : batch.drain().entrySet()) {
      try {
        OutputStream out = outs.get(lines.getKey());
        if (out == null) {
          out = dir.files().create(file(lines.getKey()), true);
          outs.put(lines.getKey(), out);
        }
        out.write(lines.getValue());
      } catch (IOException e) {
        throw dir.failed(e);
      }
    }
  }

  private Path file(RejectForm form) {
    return dir.file(unit, form, attempt);
  }

  /** Writes all rejects; returns the names of the existing files. */
  List<String> finish() {
    flush();
    close();
    List<String> names = new ArrayList<>();
    outs.keySet().forEach(form -> names.add(file(form).getName()));
    return names;
  }

  @Override
  public void close() {
    for (OutputStream out : outs.values()) {
      try {
        out.close();
      } catch (IOException e) {
        throw dir.failed(e);
      }
    }
  }
}
