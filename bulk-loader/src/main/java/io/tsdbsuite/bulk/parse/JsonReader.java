package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads JSON of /api/put: a sequence of objects and arrays of objects, with or without line breaks
 * between them. An object that is not a valid point is rejected. An object longer than 1 MiB is
 * rejected. A line outside arrays that begins with {@code #} and a blank is a comment, as in reject
 * files.
 *
 * <p>Malformed JSON outside an array and within one line: the reader rejects the object with the
 * rest of the line, and resumes at the next line. Malformed JSON inside an array, or in an object
 * of several lines: the reader cannot resume, and throws {@link BrokenTextException}. As soon as
 * one object outside arrays has ended in its line, each later object outside arrays must also end
 * in its line; so a truncated line never consumes the next line.
 *
 * <p>In a {@link Position} of this reader, {@code lines} is also the number of objects, and {@code
 * bytes} serves the display of progress only. To resume, the reader reads the stream from its
 * start, and parses the points before the position without a handler.
 */
final class JsonReader implements PointReader {
  /** Bytes between two calls of {@link PointHandler#at}. */
  private static final long STEP = 1 << 18;

  private final JsonText text = new JsonText();
  private final JsonFrame frame = new JsonFrame(text);
  private final JsonObjectParser objects;

  private PointHandler handler = IgnoringHandler.INSTANCE;
  private long points;
  private long skip;
  private JsonFrame.Lines lines = JsonFrame.Lines.MAYBE;

  JsonReader(ParseOptions options) {
    objects = new JsonObjectParser(options);
  }

  @Override
  public void read(InputStream in, Position from, long end, PointHandler to) throws IOException {
    text.open(in);
    text.skipByteOrderMark();
    handler = to;
    points = 0;
    skip = from.points();
    lines = JsonFrame.Lines.MAYBE;
    boolean inArray = false;
    boolean afterElement = false;
    boolean empty = false;
    long next = STEP;
    for (int c = frame.skipWhite(); c >= 0; c = frame.skipWhite()) {
      if (!inArray) {
        if (c == '#') {
          comment(from.bytes());
        } else if (c == '[') {
          text.take();
          inArray = true;
          afterElement = false;
          empty = true;
        } else {
          outside(c);
        }
      } else if (c == ']' && (afterElement || empty)) {
        text.take();
        inArray = false;
      } else if (c == ',' && afterElement) {
        text.take();
        afterElement = false;
        empty = false;
      } else if (!afterElement) {
        inside(c);
        afterElement = true;
      } else {
        throw broken("an array must have , or ] behind an element");
      }
      if (text.offset() >= next && points >= skip) {
        next = text.offset() + STEP;
        if (!handler.at(position())) {
          return;
        }
      }
    }
    if (inArray) {
      throw broken("the array does not end");
    }
    handler.at(position());
  }

  private Position position() {
    return new Position(text.offset(), points, points);
  }

  private BrokenTextException broken(String problem) {
    return new BrokenTextException(text.line(), text.column(), problem);
  }

  /**
   * Skips a comment, {@code #} and a blank; rejects a line with another character after {@code #}.
   */
  private void comment(long counted) throws IOException {
    long start = text.offset();
    frame.mark();
    text.take();
    int next = text.peek();
    frame.skipLine();
    if (next != ' ' && next != '\n' && next != '\r' && next >= 0) {
      reject("JSON must be objects and arrays of objects");
      return;
    }
    text.unmark();
    if (start >= counted) {
      handler.withoutPoint();
    }
  }

  /** Reads an object outside an array, or rejects other text in its place. */
  private void outside(int first) throws IOException {
    if (first != '{') {
      frame.mark();
      frame.skipLine();
      reject("JSON must be objects and arrays of objects");
      return;
    }
    JsonFrame.Shape shape = frame.object(lines);
    if (shape == JsonFrame.Shape.BROKEN_LINE) {
      reject("an object must end in its line, or continue in the next as JSON allows");
    } else if (text.isTooLong()) {
      tooLong();
    } else {
      int at = parse();
      if (at >= 0 && frame.isOneLine()) {
        frame.skipLine();
        reject("broken JSON: " + objects.problem());
      } else if (at >= 0) {
        throw frame.brokenAt(at, objects.problem());
      } else if (frame.isOneLine()) {
        lines = JsonFrame.Lines.ONE_OBJECT_EACH;
      }
    }
    text.unmark();
  }

  private void inside(int first) throws IOException {
    if (first == '{') {
      frame.object(JsonFrame.Lines.NONE);
      if (text.isTooLong()) {
        tooLong();
      } else {
        int at = parse();
        if (at >= 0) {
          throw frame.brokenAt(at, objects.problem());
        }
      }
    } else {
      frame.other(first);
      reject("an element must be an object");
    }
    text.unmark();
  }

  private int parse() throws IOException {
    boolean wanted = points >= skip;
    int at =
        objects.parse(
            text.buffer, text.mark, text.kept(), frame.startLine(), wanted ? handler : null);
    points += at < 0 ? 1 : 0;
    return at;
  }

  private void tooLong() throws IOException {
    reject("an object must not be longer than " + JsonText.MAX_KEPT + " bytes");
  }

  private void reject(String rule) throws IOException {
    if (points++ >= skip) {
      int end = text.mark + text.kept();
      while (end > text.mark && isWhite(text.buffer[end - 1])) {
        end--;
      }
      String detail = ErrorText.text(rule, text.buffer, text.mark, end);
      handler.rejected(
          RejectReason.MALFORMED_LINE,
          frame.startLine(),
          detail,
          text.buffer,
          text.mark,
          end - text.mark);
    }
    text.unmark();
  }

  private static boolean isWhite(byte c) {
    return c == ' ' || c == '\t' || c == '\r';
  }
}
