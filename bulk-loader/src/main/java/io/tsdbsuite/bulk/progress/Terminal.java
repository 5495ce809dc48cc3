package io.tsdbsuite.bulk.progress;

import java.io.Console;

/** Whether a person sits before standard output. */
final class Terminal {
  private Terminal() {}

  // From Java 22 on there is a console always, and the method asked for here says what it is.
  @SuppressWarnings("SystemConsoleNull")
  static boolean isThere() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
