package io.tsdbsuite.message.write;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import java.io.IOException;

/**
 * Writes RollupWatermark messages, version 1, as JSON in UTF-8: docs/rollup-message.md. Not
 * thread-safe.
 */
public final class RollupWatermarkEncoder {
  private final JsonBuffer buffer = new JsonBuffer();

  /** Creates an encoder. */
  public RollupWatermarkEncoder() {}

  /**
   * Encodes a watermark.
   *
   * @param interval width of the interval as rollup_config.json writes it, not empty
   * @param completeTo every bucket of the interval that ends at or before it was emitted or
   *     requested, seconds since the epoch, UTC
   * @return a new array
   * @throws IllegalArgumentException when the interval is empty
   */
  public byte[] encode(String interval, long completeTo) {
    if (interval.isEmpty()) {
      throw new IllegalArgumentException("interval must not be empty");
    }
    try {
      JsonGenerator json = buffer.start();
      json.writeStringField(FieldNames.TYPE, MessageTypes.ROLLUP_WATERMARK);
      json.writeNumberField(FieldNames.VERSION, MessageTypes.ROLLUP_WATERMARK_VERSION);
      json.writeStringField(FieldNames.INTERVAL, interval);
      json.writeNumberField(FieldNames.COMPLETE_TO, completeTo);
      return buffer.end().toByteArray();
    } catch (IOException e) {
      throw JsonBuffer.impossible(e);
    }
  }
}
