package io.tsdbsuite.testkit.seed;

import java.util.Random;

/**
 * The seed of all tests with random data: fixed in the root {@code pom.xml} for {@code make test},
 * new in each {@code make test-all}, or set with {@code -Dtest.seed=N}.
 */
public final class Seed {
  private static final String PROPERTY = "test.seed";

  /** The seed of tests that run without Maven. */
  private static final long OTHERWISE = 20_261_121;

  /** The seed of this JVM. */
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

  /** Returns a new generator; each generator has the same sequence. */
  public static Random random() {
    return new Random(VALUE);
  }

  /**
   * Returns how often a test repeats, or how much random data it has.
   *
   * @param few in {@code make test}, which has the same data each time
   * @param many in {@code make test-all}
   */
  public static int times(int few, int many) {
    return "none".equals(System.getProperty("slow.tests")) ? many : few;
  }

  /** Returns the JVM option that reproduces the data, {@code -Dtest.seed=N}, for messages. */
  public static String describe() {
    return "-D" + PROPERTY + "=" + VALUE;
  }

  /**
   * Returns the start of an assertion's message about one of many random cases.
   *
   * @param number number of the case
   */
  public static String describe(int number) {
    return describe() + ", number " + number + ": ";
  }
}
