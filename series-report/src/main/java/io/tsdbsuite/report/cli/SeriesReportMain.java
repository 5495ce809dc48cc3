package io.tsdbsuite.report.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Clock;

/** Entry point of {@code bin/series-report}. */
public final class SeriesReportMain {
  private SeriesReportMain() {}

  /**
   * Runs the command and exits, since remaining threads of HBase's client would keep the JVM alive.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    // Output of libraries to standard output must not get into the report.
    System.setOut(System.err);
    System.exit(SeriesReport.run(args, Clock.systemUTC(), out, System.err));
  }
}
