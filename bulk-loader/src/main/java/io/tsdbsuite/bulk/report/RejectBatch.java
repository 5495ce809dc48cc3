package io.tsdbsuite.bulk.report;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The rejects of one unit of input between two spills. They are written to the file when the spill
 * is committed; earlier, a resume would write them twice.
 */
public final class RejectBatch {
  private final RejectSamples samples;
  private final Map<RejectForm, ByteArrayOutputStream> lines = new EnumMap<>(RejectForm.class);
  private String lastInput = "";
  private long lastLine = -1;
  private byte[] lastText = {};

  RejectBatch(RejectSamples samples) {
    this.samples = samples;
  }

  /** A batch that shares its samples with no other. */
  public RejectBatch(int maxSamples) {
    this(new RejectSamples(maxSamples));
  }

  /**
   * Adds a rejected line and counts one point for it. A line of InfluxDB line protocol, which may
   * have several points, comes once, with a comment for each further point of it below.
   *
   * @param form form of the text; it selects the reject file
   * @param input name of the input file
   * @param line number of the line in the input file, from 1
   * @param detail the rule and the value found
   * @param text the line as it was read; line breaks in it become blanks
   */
  public synchronized void reject(
      RejectReason reason,
      RejectForm form,
      String input,
      long line,
      String detail,
      byte[] text,
      int off,
      int len) {
    // A line has as many rejects as fields: to copy or compare it for each were quadratic.
    boolean again =
        form == RejectForm.INFLUX && line > 0 && line == lastLine && input.equals(lastInput);
    byte[] copy = again ? lastText : copy(text, off, len);
    samples.add(reason, input, line, detail, copy);
    String comment = RejectSample.comment(reason, input, line, detail);
    ByteArrayOutputStream out = lines.computeIfAbsent(form, unused -> new ByteArrayOutputStream());
    out.writeBytes(comment.getBytes(StandardCharsets.UTF_8));
    out.write('\n');
    if (!again) {
      out.writeBytes(copy);
      out.write('\n');
      lastInput = input;
      lastLine = form == RejectForm.INFLUX ? line : -1;
      lastText = copy;
    }
  }

  private static byte[] copy(byte[] text, int off, int len) {
    byte[] copy = new byte[len];
    for (int i = 0; i < len; i++) {
      byte b = text[off + i];
      copy[i] = b == '\n' || b == '\r' ? (byte) ' ' : b;
    }
    return copy;
  }

  /** Bytes held in memory. */
  public synchronized int size() {
    int size = 0;
    for (ByteArrayOutputStream out : lines.values()) {
      size += out.size();
    }
    return size;
  }

  /** Rejects of all batches by reason, drained ones included. */
  public Tally counts() {
    return samples.counts();
  }

  /** The first of them. */
  public List<RejectSample> samples() {
    return samples.samples();
  }

  /** Takes all lines out of it, each below its comment, UTF-8 as far as the input is. */
  public synchronized Map<RejectForm, byte[]> drain() {
    Map<RejectForm, byte[]> all = new EnumMap<>(RejectForm.class);
    lines.forEach((form, out) -> all.put(form, out.toByteArray()));
    lines.clear();
    return all;
  }
}
