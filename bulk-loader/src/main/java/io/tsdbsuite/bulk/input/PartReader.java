package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.parallel.BlockPipeline;
import io.tsdbsuite.bulk.parallel.IdleThreads;
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
import org.jspecify.annotations.Nullable;

/** Reads parts of the input, one after the other. Not thread-safe. */
public final class PartReader {
  /** Least stored size of a file that several threads read, bytes. */
  private static final long LARGE = 1 << 20;

  /** Bytes of a file that tell whether it is cut into blocks cheaply. */
  private static final int HEAD = 1 << 12;

  private final Formats formats;
  private final LongConsumer count;
  private final @Nullable IdleThreads idle;
  private final long large;
  private final InfluxSections sections;
  private final Map<Format, PointReader> readers = new EnumMap<>(Format.class);

  /** A reader. */
  public PartReader(Formats formats) {
    this(formats, bytes -> {}, null);
  }

  /**
   * A reader that is counted and helped.
   *
   * @param count receives the stored bytes of each read, from any thread
   * @param idle threads that help with large compressed files; null for none
   */
  public PartReader(Formats formats, LongConsumer count, @Nullable IdleThreads idle) {
    this(formats, count, idle, LARGE);
  }

  /**
   * The same with another least size.
   *
   * @param large least stored size of a file that several threads read, bytes
   */
  PartReader(Formats formats, LongConsumer count, @Nullable IdleThreads idle, long large) {
    this.formats = formats;
    this.count = count;
    this.idle = idle;
    this.large = large;
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
    if (format == Format.INFLUX) {
      begin(part, from);
    }
    InputPart.Opened opened = part.open(from, format.ofLines(), count);
    try (InputStream in = opened.in()) {
      handler.begins(opened.position());
      if (idle != null && isShared(part, format, from)) {
        new BlockPipeline(
                idle,
                format.blocks(in, opened.position()),
                () -> format.blockParser(formats.options(), sections),
                format != Format.INFLUX)
            .read(opened.position(), handler);
      } else {
        readers
            .computeIfAbsent(format, key -> key.reader(formats.options(), sections))
            .read(in, opened.position(), part.end(), handler);
      }
    } catch (BrokenTextException e) {
      throw JobException.badInput(part.file().name() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Whether idle threads can help. Standard input may come slowly: its reader alone waits for it. A
   * resume of JSON parses all from the start.
   */
  private boolean isShared(InputPart part, Format format, Position from) {
    InputFile file = part.file();
    if (file.isStdin() || file.size() < large) {
      return false;
    }
    return format.ofLines()
        ? file.compression() != Compression.PLAIN
        : from.equals(Position.START) && format.hasBlocks(file.head(HEAD));
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
