package io.tsdbsuite.message.read;

import java.util.Arrays;

/**
 * Bounds on JSON that Jackson's versions do not have in common: 2.9 takes numbers, strings and
 * depths of any size, 2.15 ends the whole message at 1,000 digits or levels, or at 20,000,000
 * characters of a string that is read. What is beyond the bounds becomes {@code null}, of the same
 * length, so that the other elements and their places remain.
 */
final class JsonBounds {
  /** Maximum of the characters of a number. */
  static final int MAX_NUMBER = 1000;

  /** Maximum of the bytes of a string between its quotes, escapes as they are written. */
  static final int MAX_STRING = 20_000_000;

  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private JsonBounds() {}

  /**
   * Whether there is a number beyond the bound, or a string that looks like one, or room for a
   * string beyond its bound. Only each thousandth byte is looked at: such a number has one of them.
   */
  static boolean mayHaveLongValue(byte[] message) {
    if (message.length > MAX_STRING) {
      return true;
    }
    for (int i = MAX_NUMBER; i < message.length; i += MAX_NUMBER) {
      int from = i;
      while (from > i - MAX_NUMBER && isOfNumber(message[from])) {
        from--;
      }
      if (from < i && afterNumber(message, i) - from > MAX_NUMBER) {
        return true;
      }
    }
    return false;
  }

  /**
   * The message itself, or a copy without what is beyond the bounds. One pass, each byte once.
   *
   * @param maxDepth maximum of arrays and objects around each other
   */
  static byte[] apply(byte[] message, int maxDepth) {
    byte[] bounded = message;
    int depth = 0;
    int opened = 0;
    int i = 0;
    while (i < message.length) {
      byte b = message[i];
      if (b == '"') {
        int end = afterString(message, i + 1);
        if (end - i - 2 > MAX_STRING
            && end <= message.length
            && depth <= maxDepth
            && !isName(message, end)) {
          bounded = replaced(message, bounded, i, end);
        }
        i = end;
        continue;
      }
      if (b == '-' || (b >= '0' && b <= '9')) {
        int end = afterNumber(message, i + 1);
        if (end - i > MAX_NUMBER && depth <= maxDepth) {
          bounded = replaced(message, bounded, i, end);
        }
        i = end;
        continue;
      }
      if (b == '[' || b == '{') {
        depth++;
        opened = depth == maxDepth + 1 ? i : opened;
      } else if (b == ']' || b == '}') {
        if (depth == maxDepth + 1) {
          bounded = replaced(message, bounded, opened, i + 1);
        }
        depth--;
      }
      i++;
    }
    // Not closed: the rest would be parsed, and differently.
    return depth > maxDepth ? replaced(message, bounded, opened, message.length) : bounded;
  }

  private static int afterString(byte[] message, int from) {
    int i = from;
    while (i < message.length && message[i] != '"') {
      i += message[i] == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  /** Whether the string before is a field's name, which has no bound. */
  private static boolean isName(byte[] message, int from) {
    int i = from;
    while (i < message.length
        && (message[i] == ' ' || message[i] == '\t' || message[i] == '\n' || message[i] == '\r')) {
      i++;
    }
    return i < message.length && message[i] == ':';
  }

  private static int afterNumber(byte[] message, int from) {
    int i = from;
    while (i < message.length && isOfNumber(message[i])) {
      i++;
    }
    return i;
  }

  private static boolean isOfNumber(byte b) {
    return (b >= '0' && b <= '9') || b == '.' || b == 'e' || b == 'E' || b == '+' || b == '-';
  }

  private static byte[] replaced(byte[] message, byte[] bounded, int from, int to) {
    byte[] copy = bounded == message ? message.clone() : bounded;
    Arrays.fill(copy, from, to, (byte) ' ');
    // What begins at the last bytes of a truncated message may be shorter; it stays malformed.
    System.arraycopy(NULL, 0, copy, from, Math.min(NULL.length, to - from));
    return copy;
  }
}
