package io.tsdbsuite.bulk.parse;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads text from memory. */
final class TestText {
  private TestText() {}

  static void read(Format format, ParseOptions options, String text, PointHandler handler)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    format
        .reader(options)
        .read(new ByteArrayInputStream(bytes), Position.START, Long.MAX_VALUE, handler);
  }
}
