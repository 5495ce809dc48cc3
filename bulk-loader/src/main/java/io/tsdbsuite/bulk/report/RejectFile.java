package io.tsdbsuite.bulk.report;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Files of rejected lines, one for each {@link RejectForm}. Each line follows a comment with its
 * source and the reason. Loads skip comments, so a file can be loaded once its lines are corrected.
 *
 * <pre>
 *   # history/a.gz:17 badValue: a value must be a number, found 'x'
 *   sys.cpu.user 1600000000 x host=web01
 * </pre>
 *
 * <p>A file is made when its first line is rejected. Thread-safe; each thread has its own batch.
 */
public final class RejectFile implements Closeable {
  private final RejectSamples samples;
  private final Map<RejectForm, FormFile> files = new EnumMap<>(RejectForm.class);
  private final List<RejectBatch> batches = new ArrayList<>();

  private RejectFile(Path path, int maxSamples) {
    samples = new RejectSamples(maxSamples);
    for (RejectForm form : RejectForm.values()) {
      files.put(form, new FormFile(path(path, form)));
    }
  }

  /** The file of a form, beside the file of import lines: {@code rejected.json}. */
  public static Path path(Path importLines, RejectForm form) {
    if (form == RejectForm.IMPORT_LINES) {
      return importLines;
    }
    String name = importLines.getFileName().toString();
    int dot = name.lastIndexOf('.');
    String stem = dot < 0 ? name : name.substring(0, dot);
    return importLines.resolveSibling(stem + "." + form.suffix());
  }

  /**
   * The reject files of a new load; files that are there are emptied.
   *
   * @param path path of the file of import lines; the files of the other formats are in the same
   *     directory
   * @param maxSamples number of rejects kept for the report
   * @throws JobException outside, when the disk fails
   */
  public static RejectFile create(Path path, int maxSamples) {
    return resume(path, Map.of(), maxSamples, new Tally());
  }

  /**
   * The reject files of a resumed load, truncated to their committed lengths.
   *
   * @param committed last result of {@link #commit}, bytes; empty if there is none
   * @param tally whose rejects the files have
   * @throws JobException usage, when a file is shorter than that; outside, when the disk fails
   */
  public static RejectFile resume(
      Path path, Map<RejectForm, Long> committed, int maxSamples, Tally tally) {
    RejectFile rejects = new RejectFile(path, maxSamples);
    rejects.samples.counted(tally);
    for (Map.Entry<RejectForm, FormFile> file : rejects.files.entrySet()) {
      try {
        file.getValue().cut(committed.getOrDefault(file.getKey(), 0L));
        file.getValue().readSamples(rejects.samples);
      } catch (IOException e) {
        throw failed(file.getValue(), e);
      }
    }
    return rejects;
  }

  /** A batch for one thread. */
  public synchronized RejectBatch batch() {
    RejectBatch batch = new RejectBatch(samples);
    batches.add(batch);
    return batch;
  }

  /**
   * Writes the rejects of a batch to disk and empties the batch. This and the entry in the journal
   * that names the lengths belong under one lock: else another batch's rejects may be below those
   * lengths while its own entry is still missing.
   *
   * @return lengths of the existing files, bytes
   * @throws JobException outside, when the disk fails
   */
  public synchronized Map<RejectForm, Long> commit(RejectBatch batch) {
    Map<RejectForm, byte[]> rejects = batch.drain();
    files.forEach(
        (form, file) -> {
          byte[] lines = rejects.get(form);
          if (lines != null) {
            write(file, lines);
          }
        });
    Map<RejectForm, Long> lengths = new EnumMap<>(RejectForm.class);
    files.forEach(
        (form, file) -> {
          if (file.length() > 0) {
            lengths.put(form, file.length());
          }
        });
    return lengths;
  }

  private static void write(FormFile file, byte[] lines) {
    try {
      file.write(lines);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /**
   * Writes the rejects of all batches when the load fails.
   *
   * @throws JobException outside, when the disk fails
   */
  public synchronized void flush() {
    batches.forEach(this::commit);
  }

  /** The files that have lines. */
  public synchronized List<String> paths() {
    return files.values().stream()
        .filter(file -> file.length() > 0)
        .map(file -> file.path().toString())
        .toList();
  }

  /** The first rejects, written or not. */
  public List<RejectSample> samples() {
    return samples.samples();
  }

  /** Rejects by reason, written or not, those before a resume included. */
  public Tally counts() {
    return samples.counts();
  }

  /** Writes the rejects of all batches and closes the files. */
  @Override
  public synchronized void close() {
    flush();
    for (FormFile file : files.values()) {
      try {
        file.close();
      } catch (IOException e) {
        throw failed(file, e);
      }
    }
  }

  private static JobException failed(FormFile file, IOException e) {
    return JobException.outside(
        "the reject file " + file.path() + " cannot be written: " + StorageFailures.reason(e), e);
  }
}
