package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.parse.BrokenTextException;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.PointReader;
import io.tsdbsuite.bulk.parse.Position;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** Reads parts of the input, one after the other. One for each thread. */
public final class PartReader {
  private final Formats formats;
  private final LongConsumer count;
  private final Map<Format, PointReader> readers = new EnumMap<>(Format.class);

  /** A reader. */
  public PartReader(Formats formats) {
    this(formats, bytes -> {});
  }

  /**
   * A reader that is counted.
   *
   * @param count is told how many bytes as stored each read of a file has brought
   */
  public PartReader(Formats formats, LongConsumer count) {
    this.formats = formats;
    this.count = count;
  }

  /**
   * Reads a part to its end, or until the handler stops it.
   *
   * @param from where to go on, {@link Position#START} for all of it
   * @throws LoadException when the file cannot be read, its format is unclear, its compressed data
   *     are corrupt, or its text is broken beyond repair
   * @throws IOException from the handler
   */
  public void read(InputPart part, Position from, PointHandler handler) throws IOException {
    Format format = formats.of(part.file());
    PointReader reader = readers.computeIfAbsent(format, key -> key.reader(formats.influx()));
    InputPart.Opened opened = part.open(from, format.ofLines(), count);
    try (InputStream in = opened.in()) {
      reader.read(in, opened.position(), part.end(), handler);
    } catch (BrokenTextException e) {
      throw LoadException.badInput(part.file().name() + ": " + e.getMessage(), e);
    }
  }
}
