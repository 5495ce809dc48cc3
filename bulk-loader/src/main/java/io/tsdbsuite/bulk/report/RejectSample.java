package io.tsdbsuite.bulk.report;

import java.io.Serializable;

/**
 * One of the first rejects, for the report.
 *
 * @param line line in the file, from 1
 * @param detail the rule and the value found
 * @param text the beginning of the line itself
 */
public record RejectSample(RejectReason reason, String file, long line, String detail, String text)
    implements Serializable {
  /** Place, reason and text, on one line. */
  @Override
  public String toString() {
    return file + ":" + line + " " + reason.key() + ": " + detail + ": " + text;
  }
}
