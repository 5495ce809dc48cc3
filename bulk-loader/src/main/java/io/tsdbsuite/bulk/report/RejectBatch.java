package io.tsdbsuite.bulk.report;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The rejects of one unit of input between two spills. They go to the file when the spill is
 * committed and not before: what is read again after a kill would be there twice.
 */
public final class RejectBatch {
  private final RejectSamples samples;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  RejectBatch(RejectSamples samples) {
    this.samples = samples;
  }

  /** A batch that shares its samples with no other. */
  public RejectBatch(int maxSamples) {
    this(new RejectSamples(maxSamples));
  }

  /**
   * Adds a rejected line and counts one point for it.
   *
   * @param input the file that it comes from
   * @param line line in that file, from 1
   * @param detail the rule and what was found
   * @param text the line as it was read; line breaks in it become blanks
   */
  public synchronized void reject(
      RejectReason reason, String input, long line, String detail, byte[] text, int off, int len) {
    byte[] copy = new byte[len];
    for (int i = 0; i < len; i++) {
      byte b = text[off + i];
      copy[i] = b == '\n' || b == '\r' ? (byte) ' ' : b;
    }
    samples.add(reason, input, line, detail, copy);
    String comment = RejectComment.write(reason, input, line, detail);
    lines.writeBytes(comment.getBytes(StandardCharsets.UTF_8));
    lines.write('\n');
    lines.writeBytes(copy);
    lines.write('\n');
  }

  /** Bytes held in memory. */
  public synchronized int size() {
    return lines.size();
  }

  /** Rejects by reason, those that were taken out included, and those of batches beside it. */
  public Tally counts() {
    return samples.counts();
  }

  /** The first of them. */
  public List<RejectSample> samples() {
    return samples.samples();
  }

  /** Takes all lines out of it, each below its comment, UTF-8 as far as the input is. */
  public synchronized byte[] drain() {
    byte[] all = lines.toByteArray();
    lines.reset();
    return all;
  }
}
