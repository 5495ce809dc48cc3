package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A finished run: sorted partial hours of one spill, or of neighbouring ones.
 *
 * @param path the file
 * @param first its first spill in the order of the input
 * @param last its last spill; no other run has a spill between these two
 * @param hours number of partial hours
 * @param points number of points
 * @param bytes length of the file
 * @param firstKey its first row key
 * @param lastKey its last row key
 * @param source file that all points come from, empty if there are several
 * @param seriesAt file offset of the series, bytes
 * @param indexAt file offset of the index, bytes
 * @param footerAt file offset of the footer, bytes
 */
public record RunFile(
    Path path,
    RunOrder first,
    RunOrder last,
    long hours,
    long points,
    long bytes,
    byte[] firstKey,
    byte[] lastKey,
    String source,
    long seriesAt,
    long indexAt,
    long footerAt) {

  /**
   * Reads the footer of an existing run.
   *
   * @throws JobException when the file is no run, cut off, or damaged
   */
  public static RunFile read(Path path) throws IOException {
    try (RunBlocks blocks = new RunBlocks(path)) {
      long footerAt = blocks.checkedFooter();
      RunBlocks.Block block = new RunBlocks.Block();
      blocks.read(footerAt, new RunBlocks.Scratch(), block);
      Bytes in = block.bytes;
      RunOrder first = new RunOrder(in.small(), in.small());
      RunOrder last = new RunOrder(in.small(), in.small());
      long hours = in.number();
      long points = in.number();
      long seriesAt = in.number();
      long indexAt = in.number();
      byte[] firstKey = in.sized();
      byte[] lastKey = in.sized();
      String source = new String(in.sized(), StandardCharsets.UTF_8);
      return new RunFile(
          path,
          first,
          last,
          hours,
          points,
          blocks.size(),
          firstKey,
          lastKey,
          source,
          seriesAt,
          indexAt,
          footerAt);
    }
  }

  /** The footer that {@link #read} reads. */
  Bytes footer() {
    byte[] utf8 = source.getBytes(StandardCharsets.UTF_8);
    Bytes out = new Bytes(100 + firstKey.length + lastKey.length + utf8.length);
    out.number(first.unit());
    out.number(first.spill());
    out.number(last.unit());
    out.number(last.spill());
    out.number(hours);
    out.number(points);
    out.number(seriesAt);
    out.number(indexAt);
    out.sized(firstKey);
    out.sized(lastKey);
    out.sized(utf8);
    return out;
  }
}
