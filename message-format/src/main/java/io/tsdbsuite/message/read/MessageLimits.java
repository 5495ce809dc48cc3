package io.tsdbsuite.message.read;

import java.io.Serializable;

/**
 * Bounds of one message. Immutable.
 *
 * <p>All programs that read a topic need the same bounds: what one of them refuses and another one
 * stores is missing in the first one's results.
 */
public final class MessageLimits implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Least of {@link #maxBytes}. */
  public static final int MIN_BYTES = 1024;

  /** Largest of {@link #maxBytes}. */
  public static final int MAX_BYTES = 256 << 20;

  /** Largest of {@link #maxElements} and of {@link #maxProblems}. */
  public static final int MAX_ELEMENTS = 1_000_000;

  /** Least of {@link #maxDepth}: an element with its tags in an array has 3. */
  public static final int MIN_DEPTH = 8;

  /** Largest of {@link #maxDepth}: newer versions of Jackson refuse more than 1,000. */
  public static final int MAX_DEPTH = 900;

  /** 16 MiB, 100,000 elements, 500 levels, 100 problems. */
  public static final MessageLimits DEFAULT = new MessageLimits(16 << 20, 100_000, 500, 100);

  private final int maxBytes;
  private final int maxElements;
  private final int maxDepth;
  private final int maxProblems;

  /**
   * Creates limits.
   *
   * @param maxBytes maximum of a message's bytes
   * @param maxElements maximum of an array's elements
   * @param maxDepth maximum of arrays and objects around each other
   * @param maxProblems maximum of a message's bad elements that keep their own problem
   * @throws IllegalArgumentException when one is out of range
   */
  public MessageLimits(int maxBytes, int maxElements, int maxDepth, int maxProblems) {
    this.maxBytes = check("bytes", maxBytes, MIN_BYTES, MAX_BYTES);
    this.maxElements = check("elements", maxElements, 1, MAX_ELEMENTS);
    this.maxDepth = check("levels", maxDepth, MIN_DEPTH, MAX_DEPTH);
    this.maxProblems = check("problems", maxProblems, 1, MAX_ELEMENTS);
  }

  private static int check(String what, int number, int min, int max) {
    if (number < min || number > max) {
      throw new IllegalArgumentException(
          "the maximum of " + what + " must be " + min + " to " + max + ", found " + number);
    }
    return number;
  }

  /** Maximum of a message's bytes, after decompression. */
  public int maxBytes() {
    return maxBytes;
  }

  /** Maximum of an array's elements; all of them are in memory together. */
  public int maxElements() {
    return maxElements;
  }

  /** Maximum of arrays and objects around each other; what is deeper counts as null. */
  public int maxDepth() {
    return maxDepth;
  }

  /** Maximum of a message's bad elements that keep their own problem. */
  public int maxProblems() {
    return maxProblems;
  }
}
