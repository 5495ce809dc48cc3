package io.tsdbsuite.message.write;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;

/**
 * Writes RollupRequest messages, version 1, as JSON in UTF-8: docs/rollup-message.md. Not
 * thread-safe.
 */
public final class RollupRequestEncoder {
  private static final int HOUR = 3600;

  /** Row keys hold seconds on 32 bits. */
  private static final long MAX_SECONDS = 0xFFFF_FFFFL;

  private final JsonBuffer buffer = new JsonBuffer();

  /** Creates an encoder. */
  public RollupRequestEncoder() {}

  /**
   * Encodes a request.
   *
   * @param series its metric and its sorted tags, at least one, are used; its values are not
   * @param timestamp start of the hour of raw points, seconds since the epoch, UTC; a positive
   *     multiple of 3600 on 32 bits
   * @param intervals names from rollup_config.json, at least one, each once
   * @param reason why the rollups must be computed, not empty
   * @return a new array
   * @throws IllegalArgumentException when an argument breaks its rule
   */
  public byte[] encode(RollupPoint series, long timestamp, List<String> intervals, String reason) {
    if (timestamp <= 0 || timestamp > MAX_SECONDS || timestamp % HOUR != 0) {
      throw new IllegalArgumentException(
          "timestamp must be seconds on 32 bits, a positive multiple of 3600, found " + timestamp);
    }
    if (intervals.isEmpty()
        || intervals.contains("")
        || new HashSet<>(intervals).size() < intervals.size()) {
      throw new IllegalArgumentException(
          "intervals must have at least one name, each once, found " + intervals);
    }
    if (series.tags() == 0) {
      throw new IllegalArgumentException("the series must have at least one tag: " + series);
    }
    if (reason.isEmpty()) {
      throw new IllegalArgumentException("reason must not be empty");
    }
    try {
      JsonGenerator json = buffer.start();
      json.writeStringField(FieldNames.TYPE, MessageTypes.ROLLUP_REQUEST);
      json.writeNumberField(FieldNames.VERSION, MessageTypes.ROLLUP_REQUEST_VERSION);
      buffer.writeSeries(series);
      json.writeNumberField(FieldNames.TIMESTAMP, timestamp);
      json.writeArrayFieldStart(FieldNames.INTERVALS);
      for (String interval : intervals) {
        json.writeString(interval);
      }
      json.writeEndArray();
      json.writeStringField(FieldNames.REASON, reason);
      return buffer.end().toByteArray();
    } catch (IOException e) {
      throw JsonBuffer.impossible(e);
    }
  }
}
