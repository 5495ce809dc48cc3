package io.tsdbsuite.testkit.seed;

import java.util.Random;

/**
 * The seed of all tests that draw their data: the one of the root {@code pom.xml} in {@code make
 * test}, a fresh one in {@code make test-all}, or given with {@code -Dtest.seed=N}.
 */
public final class Seed {
  private static final String PROPERTY = "test.seed";

  /** For tests that are started without Maven. */
  private static final long OTHERWISE = 20_261_121;

  /** The seed. */
  public static final long VALUE = value(System.getProperty(PROPERTY));

  private Seed() {}

  static long value(String text) {
    if (text == null) {
      return OTHERWISE;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D" + PROPERTY + " must be an integer of 64 bits, found " + text, e);
    }
  }

  /** A generator of its own; every call starts the same sequence. */
  public static Random random() {
    return new Random(VALUE);
  }

  /** How to draw the same data again. */
  public static String describe() {
    return "-D" + PROPERTY + "=" + VALUE;
  }

  /** What a failing assertion about one of many drawn cases says first. */
  public static String describe(int number) {
    return describe() + ", number " + number + ": ";
  }
}
