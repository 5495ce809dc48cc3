package io.tsdbsuite.bulk.parse;

import java.nio.charset.StandardCharsets;

/** Quotes input in messages. */
final class ErrorText {
  private static final int MAX = 64;

  private ErrorText() {}

  /** {@code rule, found 'text'}, the text cut at 64 bytes and its control characters as dots. */
  static String text(String rule, byte[] b, int off, int end) {
    int len = Math.max(0, end - off);
    String text = new String(b, off, Math.min(len, MAX), StandardCharsets.UTF_8);
    StringBuilder message = new StringBuilder(rule).append(", found '");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      message.append(Character.isISOControl(c) ? '.' : c);
    }
    return message.append(len > MAX ? "...'" : "'").toString();
  }
}
