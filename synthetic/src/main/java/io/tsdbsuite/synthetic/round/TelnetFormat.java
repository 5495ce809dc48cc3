package io.tsdbsuite.synthetic.round;

/** {@code put metric timestamp value key=value ...}, a line for each point. */
public final class TelnetFormat implements PointFormat {
  private static final byte[] PUT = TextBuffer.bytes("put ");
  private static final byte[] BLANK = TextBuffer.bytes(" ");
  private static final byte[] EQUALS = TextBuffer.bytes("=");
  private static final byte[] LINE_END = TextBuffer.bytes("\n");

  @Override
  public void begin(TextBuffer out) {}

  @Override
  public void point(TextBuffer out, int index, byte[] metric, long timestamp) {
    out.text(PUT);
    out.text(metric);
    out.text(BLANK);
    out.decimal(timestamp);
    out.text(BLANK);
  }

  @Override
  public void tag(TextBuffer out, int index, byte[] key, byte[] value) {
    out.text(BLANK);
    out.text(key);
    out.text(EQUALS);
    out.text(value);
  }

  @Override
  public void endPoint(TextBuffer out) {
    out.text(LINE_END);
  }

  @Override
  public void end(TextBuffer out) {}
}
