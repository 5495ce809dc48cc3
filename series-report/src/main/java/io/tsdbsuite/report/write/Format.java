package io.tsdbsuite.report.write;

import java.io.IOException;
import java.io.Writer;

/** The formats of a report. */
public enum Format {
  TABLE,
  CSV,
  JSON;

  /** Creates the writer of one report. */
  public ReportWriter writer(Writer out, ReportKind kind) throws IOException {
    switch (this) {
      case CSV:
        return new CsvWriter(out, kind);
      case JSON:
        return new JsonWriter(out, kind);
      default:
        return new TableWriter(out, kind);
    }
  }
}
