package io.tsdbsuite.report.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Clock;

/** The process. */
public final class SeriesReportMain {
  private SeriesReportMain() {}

  /**
   * Runs and exits: threads of HBase's client may be left, and would keep the process.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    // Whatever a library prints must not get into the report.
    System.setOut(System.err);
    System.exit(SeriesReport.run(args, Clock.systemUTC(), out, System.err));
  }
}
