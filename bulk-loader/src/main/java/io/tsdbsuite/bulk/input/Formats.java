package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.FormatDetector;
import io.tsdbsuite.bulk.parse.InfluxOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The format of each file: the one that was named, or what its beginning tells. */
public final class Formats {
  /** The name in options for what the beginning tells. */
  public static final String AUTO = "auto";

  private final Format named;
  private final InfluxOptions influx;
  private final FormatDetector detector;
  private final Map<InputFile, Format> detected = new ConcurrentHashMap<>();

  private Formats(Format named, InfluxOptions influx) {
    this.named = named;
    this.influx = influx;
    this.detector = new FormatDetector(influx);
  }

  /**
   * The formats by the name in options.
   *
   * @throws LoadException when there is none of this name
   */
  public static Formats of(String key, InfluxOptions influx) {
    Format format = Format.of(key);
    if (format == null && !key.equals(AUTO)) {
      throw LoadException.usage(
          "format must be one of " + AUTO + ", " + Format.keys() + ", found '" + key + "'");
    }
    return new Formats(format, influx);
  }

  /** The formats of files that are known already. */
  public static Formats known(Map<InputFile, Format> formats, InfluxOptions influx) {
    Formats known = new Formats(null, influx);
    known.detected.putAll(formats);
    return known;
  }

  /**
   * The format of a file. May read the beginning of the file.
   *
   * @throws LoadException when it is not clear, or the file cannot be read
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

  /** How InfluxDB line protocol is read. */
  InfluxOptions influx() {
    return influx;
  }

  private Format detect(InputFile file) {
    byte[] head = file.head(FormatDetector.HEAD);
    Format format = detector.detect(file.name(), head);
    if (format == null) {
      throw LoadException.usage(detector.unclear(file.name(), head));
    }
    return format;
  }
}
