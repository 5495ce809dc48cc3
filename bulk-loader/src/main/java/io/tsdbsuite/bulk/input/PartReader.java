package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.parse.BrokenTextException;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxSections;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.PointReader;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** Reads parts of the input, one after the other. Not thread-safe. */
public final class PartReader {
  private final Formats formats;
  private final LongConsumer count;
  private final InfluxSections sections;
  private final Map<Format, PointReader> readers = new EnumMap<>(Format.class);

  /** A reader. */
  public PartReader(Formats formats) {
    this(formats, bytes -> {});
  }

  /**
   * A reader that is counted.
   *
   * @param count receives the stored bytes of each read
   */
  public PartReader(Formats formats, LongConsumer count) {
    this.formats = formats;
    this.count = count;
    this.sections = new InfluxSections(formats.contexts());
  }

  /**
   * Reads a part to its end, or until the handler stops it.
   *
   * @param from position at which to continue, {@link Position#START} for all of it
   * @throws JobException when the file cannot be read, its format is unclear, its compressed data
   *     are corrupt, its text is broken beyond repair, or it is an InfluxDB export that must not be
   *     loaded together with the input read before
   * @throws IOException from the handler
   */
  public void read(InputPart part, Position from, PointHandler handler) throws IOException {
    Format format = formats.of(part.file());
    PointReader reader =
        readers.computeIfAbsent(format, key -> key.reader(formats.options(), sections));
    if (format == Format.INFLUX) {
      begin(part, from);
    }
    InputPart.Opened opened = part.open(from, format.ofLines(), count);
    try (InputStream in = opened.in()) {
      reader.read(in, opened.position(), part.end(), handler);
    } catch (BrokenTextException e) {
      throw JobException.badInput(part.file().name() + ": " + e.getMessage(), e);
    }
  }

  /** Restores the section of an export at the position. */
  private void begin(InputPart part, Position from) throws IOException {
    sections.begin(part.name(), part.from() == 0);
    if (part.from() == 0 && from.bytes() > 0) {
      try (InputStream in = part.file().open(0)) {
        sections.replay(in, from.bytes());
      }
    }
  }
}
