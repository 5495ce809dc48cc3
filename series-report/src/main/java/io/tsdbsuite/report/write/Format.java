package io.tsdbsuite.report.write;

import java.io.IOException;
import java.io.Writer;

/** The formats of a report. */
public enum Format {
  TABLE,
  CSV,
  JSON;

  /** Creates the writer of one report. */
  public ReportWriter writer(Writer out, ReportWriter.Kind kind) throws IOException {
    return switch (this) {
      case TABLE -> new TableWriter(out, kind);
      case CSV -> new CsvWriter(out, kind);
      case JSON -> new JsonWriter(out, kind);
    };
  }
}
