package io.tsdbsuite.bulk.input;

import java.util.List;

/**
 * A unit of work of a reading thread: parts in order.
 *
 * @param ordinal place among the units, from 0; all points of a unit precede the points of the next
 * @param parts at least one
 */
public record InputUnit(int ordinal, List<InputPart> parts) {
  /** Bytes as stored, at least; 0 for standard input. */
  public long bytes() {
    long bytes = 0;
    for (InputPart part : parts) {
      bytes += Math.max(0, Math.min(part.to(), part.file().size()) - part.from());
    }
    return bytes;
  }
}
