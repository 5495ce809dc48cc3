package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.FormatDetector;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.InfluxSections;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.report.Keyed;
import io.tsdbsuite.job.JobException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The format of each file: given by option or detected. */
public final class Formats {
  /** The option value for detection. */
  public static final String AUTO = "auto";

  /** Bytes that are looked at if the first {@link FormatDetector#HEAD} are comments. */
  private static final int LONG_HEAD = 16 * FormatDetector.HEAD;

  private final @Nullable Format named;
  private final ParseOptions options;
  private final InfluxContexts contexts;
  private final FormatDetector detector;
  private final Map<InputFile, Format> detected = new ConcurrentHashMap<>();
  private final Set<InputFile> exports = ConcurrentHashMap.newKeySet();

  private Formats(@Nullable Format named, ParseOptions options, InfluxContexts contexts) {
    this.named = named;
    this.options = options;
    this.contexts = contexts;
    this.detector = new FormatDetector(options);
  }

  /**
   * The formats by the name in options.
   *
   * @param contexts of the InfluxDB exports of the load
   * @throws JobException when there is none of this name
   */
  public static Formats of(String key, ParseOptions options, InfluxContexts contexts) {
    Format format = Keyed.of(Format.class, key);
    if (format == null && !key.equals(AUTO)) {
      throw JobException.usage(
          "format must be one of "
              + AUTO
              + ", "
              + Keyed.keys(Format.class)
              + ", found '"
              + key
              + "'");
    }
    return new Formats(format, options, contexts);
  }

  /** The formats of files that are known already. */
  public static Formats known(
      Map<InputFile, Format> formats, ParseOptions options, InfluxContexts contexts) {
    Formats known = new Formats(null, options, contexts);
    known.detected.putAll(formats);
    return known;
  }

  /**
   * The format of a file. May read the beginning of the file.
   *
   * @throws JobException when it is not clear, or the file cannot be read
   */
  public Format of(InputFile file) {
    if (named != null) {
      return named;
    }
    Format known = detected.get(file);
    if (known == null) {
      known = detect(file);
      detected.put(file, known);
    }
    return known;
  }

  /**
   * Whether a file can be read from the beginning of any line on: formats of lines can, but not an
   * InfluxDB export, whose lines depend on comments before them. May read the beginning of the
   * file.
   *
   * @throws JobException as {@link #of}
   */
  public boolean anyLine(InputFile file) {
    Format format = of(file);
    if (format == Format.INFLUX && named != null) {
      look(file, file.head(FormatDetector.HEAD));
    }
    return format.ofLines() && !exports.contains(file);
  }

  private void look(InputFile file, byte[] head) {
    if (InfluxSections.isExport(head)) {
      exports.add(file);
      InfluxSections.look(file.name(), head, contexts);
    }
  }

  /** The contexts of the InfluxDB exports of the load. */
  public InfluxContexts contexts() {
    return contexts;
  }

  /** Options of the readers. */
  ParseOptions options() {
    return options;
  }

  private Format detect(InputFile file) {
    byte[] head = file.head(FormatDetector.HEAD);
    if (FormatDetector.isEmpty(head) && head.length == FormatDetector.HEAD) {
      head = file.head(LONG_HEAD);
    }
    Format format = detector.detect(file.name(), head);
    if (format == null && FormatDetector.isEmpty(head) && head.length < LONG_HEAD) {
      // An empty file; any format fits.
      return Format.OPENTSDB;
    }
    if (format == null) {
      throw JobException.usage(detector.unclear(file.name(), head));
    }
    if (format == Format.INFLUX) {
      look(file, head);
    }
    return format;
  }
}
