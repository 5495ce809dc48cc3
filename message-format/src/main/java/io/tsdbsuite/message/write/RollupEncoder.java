package io.tsdbsuite.message.write;

import java.io.ByteArrayOutputStream;

/**
 * One message with all values, or without values for a rollup that is deleted. A JSON line has
 * neither type nor version.
 */
final class RollupEncoder extends MessageEncoder {
  private final JsonText text = new JsonText();
  private final RollupText rollup;

  /**
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  RollupEncoder(boolean typed, long asOf) {
    this.rollup = new RollupText(typed, asOf);
  }

  @Override
  public void asOf(long millis) {
    rollup.asOf(millis);
  }

  @Override
  public int messages(RollupPoint point) {
    return 1;
  }

  @Override
  boolean canDelete() {
    return true;
  }

  @Override
  ByteArrayOutputStream write(RollupPoint point, int message) {
    text.clear();
    rollup.begin(text, point.rollup());
    SeriesText.write(point, text);
    rollup.end(text, point.timestamp(), point.interval(), point.rollup());
    return text;
  }
}
