package io.tsdbsuite.nightly.it;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * rollup-job at a simulated time, the property {@code simulated.now}. {@code load} does not wait
 * for queries. Public: spark-submit calls it from another package.
 */
public final class SimulatedJob {
  private SimulatedJob() {}

  /** The options of rollup-job, whose jar spark-submit has given to the class loader. */
  public static void main(String[] args) throws Exception {
    Instant now = Instant.parse(System.getProperty("simulated.now"));
    String[] all = args;
    if (args[0].equals("load")) {
      all = Arrays.copyOf(args, args.length + 1);
      all[args.length] = "--coverage-pause=0s";
    }
    PrintWriter out =
        new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), true);
    Class<?> main =
        Thread.currentThread()
            .getContextClassLoader()
            .loadClass("io.tsdbsuite.rollup.cli.RollupMain");
    Object job =
        main.getConstructor(PrintWriter.class, PrintWriter.class, Clock.class)
            .newInstance(out, out, Clock.fixed(now, ZoneOffset.UTC));
    Object code = main.getMethod("run", String[].class).invoke(job, (Object) all);
    System.exit((int) code.getClass().getMethod("code").invoke(code));
  }
}
