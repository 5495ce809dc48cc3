package io.tsdbsuite.job.cli;

import io.tsdbsuite.job.ExitCode;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;
import org.apache.spark.SparkUserAppException;

/** The {@code main} method of a program. */
public final class ProgramMain {
  /** {@link ExitCode#DEFECT}, also if no other class can be loaded. */
  public static final int DEFECT = 4;

  private ProgramMain() {}

  /**
   * Runs a program and exits with its {@link ExitCode}. Nothing is thrown: the JVM would end with
   * 1, which means bad input. Only on a driver that YARN runs this returns after success, and
   * throws Spark's exception for an exit code otherwise: YARN takes {@code System.exit} for a
   * failure without a reason, and shows the code of the exception to the user.
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
    }
    if (!isYarnDriver()) {
      System.exit(code);
    } else if (code != 0) {
      YarnDriver.<RuntimeException>fail(code);
    }
  }

  /**
   * Whether YARN runs this driver ({@code --master yarn --deploy-mode cluster}).
   *
   * @return false on any other driver, and without Spark
   */
  public static boolean isYarnDriver() {
    return "yarn".equals(System.getProperty("spark.master"))
        && "cluster".equals(System.getProperty("spark.submit.deployMode"));
  }

  /** Loaded only where Spark is. */
  private static final class YarnDriver {
    private YarnDriver() {}

    /** Throws a checked exception that no method here declares. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void fail(int code) throws T {
      throw (T) exception(code);
    }

    /** Spark 4.1 has a constructor with the code and a cause only, those before with the code. */
    private static Throwable exception(int code) {
      Constructor<?> made = SparkUserAppException.class.getConstructors()[0];
      Object[] arguments = new Object[made.getParameterCount()];
      arguments[0] = code;
      try {
        return (Throwable) made.newInstance(arguments);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("this Spark has another " + made, e);
      }
    }
  }
}
