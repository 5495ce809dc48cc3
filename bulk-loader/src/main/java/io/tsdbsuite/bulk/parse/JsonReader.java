package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

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
  /** Begins the detail of a broken object. */
  static final String BROKEN = "broken JSON: ";

  /** Blanks behind an object that are looked at. */
  private static final int MOST_AHEAD = 1 << 10;

  /** The longest object that is read without a look for its end before, bytes. */
  private static final int MOST_COMMON = 1 << 12;

  /** Bytes between two calls of {@link PointHandler#at}. */
  private static final long STEP = 1 << 18;

  private final JsonText text;
  private final JsonFrame frame;
  private final JsonObjectParser objects;

  /** Receives elements instead of the handler, unparsed where possible; null to parse. */
  private @Nullable TextBlock block;

  private boolean inArray;
  private boolean afterElement;
  private boolean empty;
  private long next;
  private PointHandler handler = IgnoringHandler.INSTANCE;
  private long points;
  private long skip;
  private long counted;
  private JsonFrame.Lines lines = JsonFrame.Lines.MAYBE;

  JsonReader(ParseOptions options) {
    this(options, true);
  }

  /**
   * A reader.
   *
   * @param fast false, for tests, to look at all text byte by byte and let Jackson read all
   *     objects: the result is the same
   */
  JsonReader(ParseOptions options, boolean fast) {
    text = new JsonText(fast);
    frame = new JsonFrame(text);
    objects = new JsonObjectParser(options, fast);
  }

  @Override
  public void read(InputStream in, Position from, long end, PointHandler to) throws IOException {
    begin(in, from, to);
    while (step()) {
      if (text.offset() >= next && points >= skip) {
        next = text.offset() + STEP;
        if (!handler.at(position())) {
          return;
        }
      }
    }
    handler.at(position());
  }

  /** Begins a text. */
  void begin(InputStream in, Position from, PointHandler to) throws IOException {
    text.open(in);
    text.skipByteOrderMark();
    handler = to;
    points = 0;
    skip = from.points();
    counted = from.bytes();
    lines = JsonFrame.Lines.MAYBE;
    inArray = false;
    afterElement = false;
    empty = false;
    next = STEP;
  }

  /**
   * Fills a block with the elements up to the next position.
   *
   * @return false at the end of the text
   */
  boolean cut(TextBlock to) throws IOException {
    block = to;
    while (step()) {
      if (text.offset() >= next) {
        next = text.offset() + STEP;
        return true;
      }
    }
    return false;
  }

  /** Offset of the next byte. */
  long offset() {
    return text.offset();
  }

  /** Reads an element, or a character between elements; false at the end of the text. */
  private boolean step() throws IOException {
    int c = frame.skipWhite();
    if (c < 0) {
      if (inArray) {
        throw broken("the array does not end");
      }
      return false;
    }
    if (!inArray) {
      if (c == '#') {
        comment();
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
    return true;
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
  private void comment() throws IOException {
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
    if (block != null) {
      block.elements.add(JsonElements.COMMENT, 0, 0, 0, 0);
    } else if (start >= counted) {
      handler.withoutPoint();
    }
  }

  /** Reads an object outside an array, or rejects other text in its place. */
  private void outside(int first) throws IOException {
    if (first == '{' && takeCommon()) {
      lines = JsonFrame.Lines.ONE_OBJECT_EACH;
      return;
    }
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
    } else if (block != null && isAlone()) {
      keep(block, JsonElements.LINE);
    } else {
      int at = parse();
      if (at >= 0 && frame.isOneLine()) {
        if (!isAlone()) {
          frame.skipLine();
        }
        reject(BROKEN + objects.problem());
      } else if (at >= 0) {
        throw frame.brokenAt(at, objects.problem());
      } else if (frame.isOneLine()) {
        lines = JsonFrame.Lines.ONE_OBJECT_EACH;
      }
    }
    text.unmark();
  }

  private void inside(int first) throws IOException {
    if (first == '{' && takeCommon()) {
      return;
    }
    if (first == '{') {
      frame.object(JsonFrame.Lines.NONE);
      if (text.isTooLong()) {
        tooLong();
      } else if (block != null) {
        keep(block, JsonElements.OBJECT);
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

  /** Reads a point of the common form, which is most, without a look for its end before. */
  private boolean takeCommon() throws IOException {
    int off = text.position();
    int end = Math.min(text.limit(), off + MOST_COMMON);
    PointHandler to = points >= skip ? handler : null;
    int behind = block == null ? objects.parseCommon(text.buffer, off, end, text.line(), to) : -1;
    if (behind >= 0) {
      points++;
      text.takeTo(behind);
    }
    return behind >= 0;
  }

  /** Whether an object is alone in its line, where the text goes on even if it is broken. */
  private boolean isAlone() throws IOException {
    if (lines != JsonFrame.Lines.ONE_OBJECT_EACH || !frame.isOneLine()) {
      return false;
    }
    try {
      int ahead = 0;
      int c = text.peek(ahead);
      while ((c == ' ' || c == '\t' || c == '\r') && ahead < MOST_AHEAD) {
        c = text.peek(++ahead);
      }
      return c == '\n' || c < 0;
    } catch (IOException e) {
      // The object comes first; the next read throws this again.
      return false;
    }
  }

  private void keep(TextBlock to, int kind) {
    int len = text.kept();
    int off = to.append(text.buffer, text.mark, len);
    to.elements.add(kind, off, len, frame.startLine(), frame.startColumn());
  }

  private int parse() throws IOException {
    boolean wanted = points >= skip && block == null;
    int at =
        objects.parse(
            text.buffer, text.mark, text.kept(), frame.startLine(), wanted ? handler : null);
    points += at < 0 ? 1 : 0;
    if (at < 0 && block != null) {
      keep(block, JsonElements.OBJECT);
    }
    return at;
  }

  private void tooLong() throws IOException {
    reject("an object must not be longer than " + JsonText.MAX_KEPT + " bytes");
  }

  private void reject(String rule) throws IOException {
    if (block != null) {
      int len = text.kept();
      int off = block.append(text.buffer, text.mark, len);
      block.elements.addRejected(rule, off, len, frame.startLine());
    } else if (points++ >= skip) {
      int end = trimmed(text.buffer, text.mark, text.mark + text.kept());
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

  /** The end of a text without white space before it. */
  static int trimmed(byte[] b, int off, int to) {
    int end = to;
    while (end > off && isWhite(b[end - 1])) {
      end--;
    }
    return end;
  }

  private static boolean isWhite(byte c) {
    return c == ' ' || c == '\t' || c == '\r';
  }
}
