package io.tsdbsuite.report.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the creation time of a TSMeta object. */
final class Created {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Created() {}

  /**
   * Reads the field {@code created}.
   *
   * @param tsMeta the value of ts_meta
   * @return seconds since the epoch; null if the field is missing or 0
   * @throws IOException when the value is not a JSON object
   */
  static @Nullable Long seconds(byte[] tsMeta) throws IOException {
    try (JsonParser parser = FACTORY.createParser(tsMeta)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("ts_meta must be a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean created = parser.getCurrentName().equals("created");
        JsonToken value = parser.nextToken();
        if (created && value == JsonToken.VALUE_NUMBER_INT) {
          long seconds = parser.getLongValue();
          return seconds == 0 ? null : (Long) seconds;
        }
        parser.skipChildren();
      }
      return null;
    }
  }
}
