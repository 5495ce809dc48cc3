package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Keyed;
import io.tsdbsuite.bulk.report.RejectForm;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of points in text. */
public enum Format implements Keyed {
  /** Import lines of OpenTSDB, and telnet's puts. */
  OPENTSDB(true),
  /** JSON of /api/put. */
  JSON(false),
  /** InfluxDB line protocol. */
  INFLUX(true),
  /** Prometheus' text exposition, times in milliseconds. */
  PROMETHEUS(true),
  /** OpenMetrics text, times in seconds. */
  OPENMETRICS(true),
  /** JSON lines of VictoriaMetrics' /api/v1/export. */
  VICTORIAMETRICS(true),
  /** Graphite's plain text. */
  GRAPHITE(true);

  private final boolean ofLines;

  Format(boolean ofLines) {
    this.ofLines = ofLines;
  }

  /** Whether it can be read from the beginning of any line on. */
  public boolean ofLines() {
    return ofLines;
  }

  /** Form of the reject file for lines rejected unparsed. */
  public RejectForm rejectForm() {
    return this == OPENTSDB ? RejectForm.IMPORT_LINES : RejectForm.valueOf(name());
  }

  /** A reader, for one thread, that takes lines of any InfluxDB export together. */
  public PointReader reader(ParseOptions options) {
    return reader(options, InfluxSections.ignored());
  }

  /**
   * Creates a reader, which only one thread may use.
   *
   * @param sections the state of the InfluxDB export that the reader reads
   */
  public PointReader reader(ParseOptions options, InfluxSections sections) {
    PointReader reader = ofLines ? lineReader(options, sections) : new JsonReader(options);
    return options.rounding() == TimeRounding.S ? new WholeSeconds(reader) : reader;
  }

  /**
   * Creates a parser of blocks, which only one thread may use. Blocks of line protocol must come in
   * their order, since comments change the section.
   *
   * @param sections the state of the InfluxDB export that is read
   */
  public BlockParser blockParser(ParseOptions options, InfluxSections sections) {
    BlockParser parser = ofLines ? lineReader(options, sections) : new JsonBlockParser(options);
    return options.rounding() == TimeRounding.S ? WholeSeconds.of(parser) : parser;
  }

  private LineReader lineReader(ParseOptions options, InfluxSections sections) {
    return new LineReader(
        switch (this) {
          case OPENTSDB -> new OpenTsdbLineParser(options);
          case INFLUX -> new InfluxLineParser(options, sections);
          case PROMETHEUS -> new PrometheusLineParser(options, false);
          case OPENMETRICS -> new PrometheusLineParser(options, true);
          case VICTORIAMETRICS -> new VictoriaMetricsLineParser(options);
          case GRAPHITE -> new GraphiteLineParser(options);
          case JSON -> throw new IllegalStateException("JSON is not read by lines");
        });
  }

  /**
   * Whether a text is cut into blocks cheaply: lines always, JSON if it is an array, or has objects
   * in lines.
   *
   * @param head its beginning
   */
  public boolean hasBlocks(byte[] head) {
    return ofLines || JsonBlocks.areLikely(head);
  }

  /**
   * Cuts a stream into blocks.
   *
   * @param in from the position on
   * @param from position of its first byte, which begins a line; for formats without lines {@link
   *     Position#START}
   * @throws IOException when the stream fails
   */
  public BlockSource blocks(InputStream in, Position from) throws IOException {
    return ofLines ? new LineBlocks(in, from.bytes()) : new JsonBlocks(in);
  }

  /** The format of a file by the end of its name; null if the end is no format's. */
  static @Nullable Format ofSuffix(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    for (String compressed : List.of(".gz", ".zst", ".zstd", ".bz2")) {
      if (name.endsWith(compressed)) {
        name = name.substring(0, name.length() - compressed.length());
        break;
      }
    }
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "tsdb", "opentsdb" -> OPENTSDB;
      case "json", "jsonl", "ndjson" -> JSON;
      case "lp", "line", "influx" -> INFLUX;
      case "prom", "prometheus" -> PROMETHEUS;
      case "om", "openmetrics" -> OPENMETRICS;
      case "vm" -> VICTORIAMETRICS;
      case "graphite" -> GRAPHITE;
      default -> null;
    };
  }
}
