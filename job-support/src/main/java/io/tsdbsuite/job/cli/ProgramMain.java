package io.tsdbsuite.job.cli;

import io.tsdbsuite.job.ExitCode;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;

/** The {@code main} method of a program. */
public final class ProgramMain {
  /** {@link ExitCode#DEFECT}, also if no other class can be loaded. */
  public static final int DEFECT = 4;

  private ProgramMain() {}

  /**
   * Runs a program and exits with its {@link ExitCode}. Nothing is thrown: the JVM would end with
   * 1, which means bad input.
   *
   * @param name name of the program, for messages
   * @param program takes standard output and standard error, which print UTF-8
   */
  public static void run(String name, BiFunction<PrintWriter, PrintWriter, ExitCode> program) {
    int code = DEFECT;
    try {
      PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
      PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
      code = program.apply(out, err).code();
      out.flush();
      err.flush();
    } catch (Throwable e) {
      e.printStackTrace();
      System.err.println(name + ": a defect of " + name + ", please report it: " + e);
    } finally {
      if (code != 0 || !isYarnDriver()) {
        System.exit(code);
      }
    }
  }

  /** If YARN runs this driver, it takes {@code System.exit} after success for a failure. */
  private static boolean isYarnDriver() {
    return "yarn".equals(System.getProperty("spark.master"))
        && "cluster".equals(System.getProperty("spark.submit.deployMode"));
  }
}
