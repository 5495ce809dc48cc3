package io.tsdbsuite.bulk.report;

import java.io.Serializable;

/**
 * A rejected line or point that the report shows as an example.
 *
 * @param file name of the input file
 * @param line number of the line in the file, from 1
 * @param detail the rule and the value found
 * @param text the beginning of the rejected line
 */
public record RejectSample(RejectReason reason, String file, long line, String detail, String text)
    implements Serializable {
  /** Returns file, line, reason, detail and text on one line. */
  @Override
  public String toString() {
    return file + ":" + line + " " + reason.key() + ": " + detail + ": " + text;
  }
}
