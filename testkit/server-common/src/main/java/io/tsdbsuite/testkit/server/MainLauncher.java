package io.tsdbsuite.testkit.server;

import java.lang.reflect.Method;
import java.util.Map;

/**
 * Runs a server that is started by its own main method.
 *
 * <p>Arguments: {@code main} (the class) and {@code arg.0}, {@code arg.1}, ... (the arguments of
 * its main method, in the order in which they are given). READY means that main was called; the
 * parent asks the server itself whether it is ready. The JVM ends with {@link
 * Launcher#START_FAILED} when main throws.
 */
public final class MainLauncher {
  private MainLauncher() {}

  /**
   * Starts the server.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, (arguments, ready) -> start(arguments));
  }

  private static AutoCloseable start(Map<String, String> arguments)
      throws ReflectiveOperationException {
    Method main =
        Class.forName(Launcher.required(arguments, "main")).getMethod("main", String[].class);
    String[] given = Launcher.withPrefix(arguments, "arg.").values().toArray(new String[0]);
    new Thread(() -> call(main, given), "server-main").start();
    // The server ends by its shutdown hooks, which the launcher's exit runs.
    return () -> {};
  }

  private static void call(Method main, String[] arguments) {
    try {
      main.invoke(null, (Object) arguments);
    } catch (ReflectiveOperationException e) {
      e.printStackTrace(System.err);
      Runtime.getRuntime().halt(Launcher.START_FAILED);
    }
  }
}
