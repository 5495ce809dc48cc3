package io.tsdbsuite.bulk.parse;

import java.io.IOException;

/**
 * Finds the end of an element of JSON by its braces and quotes alone. The {@link JsonText} then
 * holds its text.
 */
final class JsonFrame {
  /** Where an object may end. */
  enum Lines {
    /** In any line; a broken object ends the reading. */
    NONE,
    /** In any line; but if it is broken in its first one, the next line begins a new one. */
    MAYBE,
    /** In its line. */
    ONE_OBJECT_EACH
  }

  /** End of an object. */
  enum Shape {
    /** With its last brace. */
    WHOLE,
    /** It did not end in its line, and the next line begins a new one. */
    BROKEN_LINE
  }

  private final JsonText text;
  private long startLine;
  private long startColumn;
  private int previous;

  JsonFrame(JsonText text) {
    this.text = text;
  }

  /** Skips white space; the byte behind it, -1 at the end. */
  int skipWhite() throws IOException {
    int c = text.peek();
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      text.take();
      c = text.peek();
    }
    return c;
  }

  /** Begins an element. */
  void mark() {
    text.mark();
    startLine = text.line();
    startColumn = text.column();
  }

  /** Line in which the element begins, from 1. */
  long startLine() {
    return startLine;
  }

  /** Whether the element has ended in the line in which it began. */
  boolean isOneLine() {
    return text.line() == startLine;
  }

  /** Reads to the end of the line, which is not taken. */
  void skipLine() throws IOException {
    for (int c = text.peek(); c >= 0 && c != '\n'; c = text.peek()) {
      text.take();
    }
  }

  /**
   * Reads an object.
   *
   * @throws BrokenTextException when it does not end, or has a line break in a string
   */
  Shape object(Lines lines) throws IOException {
    mark();
    if (text.takeObject()) {
      return Shape.WHOLE;
    }
    boolean inLines = lines != Lines.NONE;
    int depth = 0;
    previous = 0;
    do {
      int c = text.peek();
      if (c == '"') {
        if (!string(inLines)) {
          return Shape.BROKEN_LINE;
        }
      } else if (c == '\n' && lines == Lines.ONE_OBJECT_EACH) {
        return Shape.BROKEN_LINE;
      } else if (c == '\n' && inLines && isOneLine()) {
        int kept = text.kept();
        int next = skipWhite();
        if (next < 0 || next == '#' || ((next == '{' || next == '[') && !opensValue())) {
          text.keepOnly(kept);
          return Shape.BROKEN_LINE;
        }
        continue;
      } else if (c < 0) {
        return ended(inLines);
      } else {
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= c == '}' || c == ']' ? 1 : 0;
        text.take();
      }
      previous = c > ' ' ? c : previous;
    } while (depth > 0);
    return Shape.WHOLE;
  }

  private boolean opensValue() {
    return previous == ':' || previous == ',' || previous == '[';
  }

  private Shape ended(boolean inLines) throws BrokenTextException {
    if (inLines && isOneLine()) {
      return Shape.BROKEN_LINE;
    }
    throw broken("the text ends within an object");
  }

  /** Reads a string; false if its line ends before it does. */
  private boolean string(boolean inLines) throws IOException {
    text.take();
    for (int c = text.peek(); c != '"'; c = text.peek()) {
      if (c < 0 || c == '\n') {
        if (inLines && isOneLine()) {
          return false;
        }
        throw broken("a string must end in its line");
      }
      text.take();
      if (c == '\\' && text.peek() >= ' ') {
        text.take();
      }
    }
    text.take();
    return true;
  }

  /** Reads an element of an array that is no object: an array, a string or a word. */
  void other(int first) throws IOException {
    if (first == '[') {
      object(Lines.NONE);
      return;
    }
    mark();
    if (first == '"') {
      string(false);
    } else if (Character.isLetterOrDigit(first) || first == '-') {
      for (int c = first; c > ' ' && c != ',' && c != ']'; c = text.peek()) {
        text.take();
      }
    } else {
      throw broken("an array must have objects between [ and ]");
    }
  }

  private BrokenTextException broken(String problem) {
    return new BrokenTextException(text.line(), text.column(), problem);
  }

  /** Column in which the element begins, from 1. */
  long startColumn() {
    return startColumn;
  }

  /** The element is broken. */
  BrokenTextException brokenAt(int offset, String problem) {
    int end = text.mark + Math.min(offset, text.kept());
    return broken(text.buffer, text.mark, end, startLine, startColumn, problem);
  }

  /**
   * A text is broken.
   *
   * @param end where
   * @param startLine line of the first byte
   * @param startColumn its column
   */
  static BrokenTextException broken(
      byte[] b, int off, int end, long startLine, long startColumn, String problem) {
    long line = startLine;
    long column = startColumn;
    for (int p = off; p < end; p++) {
      column++;
      if (b[p] == '\n') {
        line++;
        column = 1;
      }
    }
    return new BrokenTextException(line, column, problem);
  }
}
