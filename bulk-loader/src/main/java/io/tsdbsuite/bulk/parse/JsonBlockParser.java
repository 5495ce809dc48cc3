package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;

/** Parses the elements that {@link JsonBlocks} found. */
final class JsonBlockParser implements BlockParser {
  private final JsonObjectParser objects;

  JsonBlockParser(ParseOptions options) {
    objects = new JsonObjectParser(options);
  }

  @Override
  public void parse(TextBlock block, long line, PointHandler handler) throws IOException {
    JsonElements elements = block.elements;
    long points = 0;
    for (int i = 0; i < elements.size(); i++) {
      if (elements.kind(i) == JsonElements.COMMENT) {
        handler.withoutPoint();
      } else {
        parse(block, i, handler);
        points++;
      }
    }
    block.points = points;
    block.lines = points;
  }

  private void parse(TextBlock block, int i, PointHandler handler) throws IOException {
    JsonElements elements = block.elements;
    int kind = elements.kind(i);
    if (kind == JsonElements.REJECTED) {
      reject(elements.rule(i), block, i, handler);
      return;
    }
    int off = elements.offset(i);
    int len = elements.length(i);
    int at = objects.parse(block.bytes, off, len, elements.line(i), handler);
    if (at >= 0 && kind == JsonElements.LINE) {
      reject(JsonReader.BROKEN + objects.problem(), block, i, handler);
    } else if (at >= 0) {
      throw JsonFrame.broken(
          block.bytes,
          off,
          off + Math.min(at, len),
          elements.line(i),
          elements.column(i),
          objects.problem());
    }
  }

  private static void reject(String rule, TextBlock block, int i, PointHandler handler)
      throws IOException {
    int off = block.elements.offset(i);
    int end = JsonReader.trimmed(block.bytes, off, off + block.elements.length(i));
    handler.rejected(
        RejectReason.MALFORMED_LINE,
        block.elements.line(i),
        ErrorText.text(rule, block.bytes, off, end),
        block.bytes,
        off,
        end - off);
  }
}
