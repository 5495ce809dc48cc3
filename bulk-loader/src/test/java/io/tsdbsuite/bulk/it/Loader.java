package io.tsdbsuite.bulk.it;

import io.tsdbsuite.bulk.cli.BulkLoaderMain;
import io.tsdbsuite.job.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;

/** The command line in this JVM. */
final class Loader {
  private Loader() {}

  /** What a command left behind. */
  record Outcome(ExitCode code, String out, String err) {
    /** All that a terminal shows. */
    String log() {
      return out + err;
    }
  }

  static Outcome run(String... arguments) {
    return run(Clock.systemUTC(), arguments);
  }

  static Outcome run(Clock clock, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ExitCode code =
        new BulkLoaderMain(new PrintWriter(out, true), new PrintWriter(err, true), clock)
            .run(arguments);
    return new Outcome(code, out.toString(), err.toString());
  }
}
