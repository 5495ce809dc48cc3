package io.tsdbsuite.bulk.parse;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of whole elements of JSON, cut where {@link JsonReader} tells its positions. It finds the
 * ends of elements by braces and quotes; it parses only what decides where reading goes on: objects
 * outside arrays, until the first that is alone in its line.
 */
final class JsonBlocks implements BlockSource {
  private final JsonReader reader;
  private boolean ended;
  private @Nullable Exception failure;

  JsonBlocks(InputStream in) throws IOException {
    reader = new JsonReader(ParseOptions.DEFAULT);
    reader.begin(in, Position.START, IgnoringHandler.INSTANCE);
  }

  /**
   * Whether a text has elements that need no look at the one before: an array, or objects in lines,
   * at its beginning or behind comments.
   *
   * @param head its beginning
   */
  static boolean areLikely(byte[] head) {
    int p = skipWhite(head, 0);
    while (p < head.length && head[p] == '#') {
      while (p < head.length && head[p] != '\n') {
        p++;
      }
      p = skipWhite(head, p);
    }
    if (p == head.length || head[p] == '[') {
      return p < head.length;
    }
    int end = p;
    while (end < head.length && head[end] != '\n') {
      end++;
    }
    while (end > p && head[end - 1] <= ' ' && head[end - 1] >= 0) {
      end--;
    }
    return head[p] == '{' && head[end - 1] == '}';
  }

  private static int skipWhite(byte[] head, int from) {
    int p = from;
    while (p < head.length && head[p] <= ' ' && head[p] >= 0) {
      p++;
    }
    return p;
  }

  @Override
  public boolean next(TextBlock block) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (ended) {
      return false;
    }
    block.length = 0;
    block.linesBefore = 0;
    block.elements.clear();
    block.partial = false;
    try {
      ended = !reader.cut(block);
    } catch (IOException | RuntimeException e) {
      // The elements before it come first.
      failure = e;
      block.partial = true;
    }
    block.to = reader.offset();
    return true;
  }
}
