package io.tsdbsuite.synthetic.round;

/** The body of {@code /api/put}: an array of points. */
public final class JsonFormat implements PointFormat {
  private static final byte[] BEGIN = TextBuffer.bytes("[");
  private static final byte[] FIRST = TextBuffer.bytes("{\"metric\":\"");
  private static final byte[] NEXT = TextBuffer.bytes(",{\"metric\":\"");
  private static final byte[] TIMESTAMP = TextBuffer.bytes("\",\"timestamp\":");
  private static final byte[] VALUE = TextBuffer.bytes(",\"value\":");
  private static final byte[] FIRST_TAG = TextBuffer.bytes(",\"tags\":{\"");
  private static final byte[] NEXT_TAG = TextBuffer.bytes(",\"");
  private static final byte[] TAG_VALUE = TextBuffer.bytes("\":\"");
  private static final byte[] QUOTE = TextBuffer.bytes("\"");
  private static final byte[] END_POINT = TextBuffer.bytes("}}");
  private static final byte[] END = TextBuffer.bytes("]");

  @Override
  public void begin(TextBuffer out) {
    out.text(BEGIN);
  }

  @Override
  public void point(TextBuffer out, int index, byte[] metric, long timestamp) {
    out.text(index == 0 ? FIRST : NEXT);
    out.text(metric);
    out.text(TIMESTAMP);
    out.decimal(timestamp);
    out.text(VALUE);
  }

  @Override
  public void tag(TextBuffer out, int index, byte[] key, byte[] value) {
    out.text(index == 0 ? FIRST_TAG : NEXT_TAG);
    out.text(key);
    out.text(TAG_VALUE);
    out.text(value);
    out.text(QUOTE);
  }

  @Override
  public void endPoint(TextBuffer out) {
    out.text(END_POINT);
  }

  @Override
  public void end(TextBuffer out) {
    out.text(END);
  }
}
