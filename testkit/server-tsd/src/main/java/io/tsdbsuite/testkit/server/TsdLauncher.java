package io.tsdbsuite.testkit.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;

/**
 * Runs an unpatched TSD.
 *
 * <p>Arguments: {@code config} (its opentsdb.conf). The TSD's own shutdown hook stops it and
 * flushes asynchbase's buffered writes.
 */
public final class TsdLauncher {
  private static final String MAIN = "net.opentsdb.tools.TSDMain";

  private TsdLauncher() {}

  /**
   * Starts the TSD.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, TsdLauncher::start);
  }

  private static AutoCloseable start(Map<String, String> arguments, Map<String, String> ready)
      throws Exception {
    // The class is not public, but its main method is.
    Method main = Class.forName(MAIN).getMethod("main", String[].class);
    main.setAccessible(true);
    try {
      main.invoke(null, (Object) new String[] {"--config", Launcher.required(arguments, "config")});
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception) {
        throw (Exception) e.getCause();
      }
      throw e;
    }
    return () -> {};
  }
}
