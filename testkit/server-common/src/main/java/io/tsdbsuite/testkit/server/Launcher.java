package io.tsdbsuite.testkit.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The child's side of the testkit's launcher protocol.
 *
 * <p>The parent starts the child with arguments {@code key=value}. The child prints one line {@code
 * READY key=value ...} to standard output when it is ready; all other output goes to standard
 * error, which the parent redirects to the log file. When standard input closes, because the parent
 * stops the child or has died, the child stops and exits. A stop that takes longer than {@link
 * #STOP_SECONDS} is aborted, so no child outlives its parent by more.
 */
public final class Launcher {
  /**
   * Timeout of a clean stop, seconds; then the JVM is halted. Longer than the savepoint of a
   * stream-rollup job in this JVM may take.
   */
  public static final int STOP_SECONDS = 150;

  /** Exit code of a start that failed. */
  public static final int START_FAILED = 1;

  /** Exit code of a stop that failed. */
  public static final int STOP_FAILED = 2;

  /** Exit code of a stop that was aborted. */
  public static final int STOP_CUT_SHORT = 3;

  /** Starts one server. */
  @FunctionalInterface
  public interface Server {
    /**
     * Starts the server and returns when it is ready.
     *
     * @param arguments the parent's arguments
     * @param ready receives the entries of the READY line; without blanks
     * @return stops the server
     * @throws Exception when the server cannot start
     */
    AutoCloseable start(Map<String, String> arguments, Map<String, String> ready) throws Exception;
  }

  private Launcher() {}

  /**
   * Runs a server until standard input closes. Does not return: the JVM ends.
   *
   * @param args the arguments, {@code key=value} each
   * @param server the server
   */
  public static void run(String[] args, Server server) {
    PrintStream protocol =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    // A TSD closes standard input. The parent's pipe would then be lost as soon as a signal
    // (SIGSTOP, SIGCONT) interrupts the read, and the server would end.
    InputStream parent = System.in;
    System.setIn(InputStream.nullInputStream());

    CountDownLatch parentLeft = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(1);
    daemon("parent-watch", () -> watchParent(parent, parentLeft, started));

    AutoCloseable running;
    try {
      Map<String, String> ready = new LinkedHashMap<>();
      running = server.start(parse(args), ready);
      StringBuilder line = new StringBuilder("READY");
      ready.forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
      started.countDown();
      protocol.println(line);
      parentLeft.await();
    } catch (Throwable e) {
      e.printStackTrace(System.err);
      Runtime.getRuntime().halt(START_FAILED);
      return;
    }
    daemon("stop-watch", Launcher::haltLate);
    try {
      running.close();
    } catch (Exception e) {
      e.printStackTrace(System.err);
      System.exit(STOP_FAILED);
    }
    System.exit(0);
  }

  /**
   * Parses the parent's arguments.
   *
   * @param args {@code key=value} each
   * @return the arguments by key, in order
   * @throws IllegalArgumentException when an argument has no {@code =}
   */
  public static Map<String, String> parse(String[] args) {
    Map<String, String> parsed = new LinkedHashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("argument must be key=value: " + arg);
      }
      parsed.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
    return parsed;
  }

  /**
   * The arguments whose key starts with a prefix, without it.
   *
   * @param arguments all arguments
   * @param prefix the prefix, for example {@code conf.}
   * @return the arguments, in order
   */
  public static Map<String, String> withPrefix(Map<String, String> arguments, String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    arguments.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            found.put(key.substring(prefix.length()), value);
          }
        });
    return found;
  }

  /**
   * A required argument.
   *
   * @param arguments all arguments
   * @param key the key
   * @return its value
   * @throws IllegalArgumentException when it is missing
   */
  public static String required(Map<String, String> arguments, String key) {
    String value = arguments.get(key);
    if (value == null) {
      throw new IllegalArgumentException("argument missing: " + key);
    }
    return value;
  }

  private static void watchParent(
      InputStream in, CountDownLatch parentLeft, CountDownLatch started) {
    try {
      while (in.read() >= 0) {
        // The parent writes nothing; it only keeps the pipe open.
      }
    } catch (IOException e) {
      e.printStackTrace(System.err);
    }
    if (started.getCount() > 0) {
      // The server is not started yet, so there is nothing to stop.
      Runtime.getRuntime().halt(START_FAILED);
    }
    parentLeft.countDown();
  }

  private static void haltLate() {
    try {
      if (new CountDownLatch(1).await(STOP_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.err.println("stop took longer than " + STOP_SECONDS + " s, halting");
    Runtime.getRuntime().halt(STOP_CUT_SHORT);
  }

  private static void daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }
}
