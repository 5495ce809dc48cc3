package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;

/** Receives rejected lines and points. Called by the thread of its grouper. */
@FunctionalInterface
public interface RejectSink {
  /**
   * A line or point that is not loaded; it is counted already.
   *
   * @param form form of the text
   * @param file name of its file, empty if that is not known any more
   * @param line line in the file, from 1; 0 if that is not known any more
   * @param detail the rule and the value found
   * @param text the line as it was read, or, for a parsed point, an equivalent import line; without
   *     its line end; valid until the call returns
   */
  void rejected(
      RejectReason reason,
      RejectForm form,
      String file,
      long line,
      String detail,
      byte[] text,
      int off,
      int len)
      throws IOException;
}
