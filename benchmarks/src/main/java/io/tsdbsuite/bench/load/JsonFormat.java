package io.tsdbsuite.bench.load;

/** The body of {@code /api/put}: an array of points. */
final class JsonFormat implements PointFormat {
  private static final byte[] BEGIN = Protocol.bytes("[");
  private static final byte[] FIRST = Protocol.bytes("{\"metric\":\"");
  private static final byte[] NEXT = Protocol.bytes(",{\"metric\":\"");
  private static final byte[] TIMESTAMP = Protocol.bytes("\",\"timestamp\":");
  private static final byte[] VALUE = Protocol.bytes(",\"value\":");
  private static final byte[] FIRST_TAG = Protocol.bytes(",\"tags\":{\"");
  private static final byte[] NEXT_TAG = Protocol.bytes(",\"");
  private static final byte[] TAG_VALUE = Protocol.bytes("\":\"");
  private static final byte[] QUOTE = Protocol.bytes("\"");
  private static final byte[] END_POINT = Protocol.bytes("}}");
  private static final byte[] END = Protocol.bytes("]");

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
