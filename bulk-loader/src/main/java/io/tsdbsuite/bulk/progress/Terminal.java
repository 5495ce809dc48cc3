package io.tsdbsuite.bulk.progress;

import java.io.Console;

/** Whether standard output is a terminal. */
final class Terminal {
  private Terminal() {}

  // From Java 22 on System.console() is never null; isTerminal() tells.
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
