package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/** The report as JSON; docs/rollup-job.md describes the fields. */
public final class ReportJson {
  /** The value of {@code report}. */
  public static final String NAME = "rollup-job";

  /** The value of {@code v}. */
  public static final int VERSION = 3;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private ReportJson() {}

  /**
   * Writes one JSON object with a line break at its end; the stream stays open. The finished
   * partitions come last, one line each.
   */
  public static void write(RollupReport report, OutputStream out) throws IOException {
    try (JsonGenerator json = MAPPER.getFactory().createGenerator(out, JsonEncoding.UTF8)) {
      DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
      printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
      json.setPrettyPrinter(printer);
      json.writeStartObject();
      for (Map.Entry<String, JsonNode> field : ReportSections.of(report).json().properties()) {
        json.writeFieldName(field.getKey());
        MAPPER.writeTree(json, field.getValue());
      }
      resume(json, report);
      json.writeEndObject();
    }
    out.write('\n');
  }

  private static void resume(JsonGenerator json, RollupReport report) throws IOException {
    RunIdentity identity = report.identity();
    json.writeObjectFieldStart("resume");
    json.writeStringField("version", identity.version());
    texts(json, "options", identity.options());
    texts(json, "snapshots", identity.snapshots());
    texts(json, "target", identity.target());
    json.writeStringField("plan", identity.plan());
    Optional<FinishedPartitions> kept = report.kept();
    if (kept.isPresent()) {
      json.writeFieldName("failedSamples");
      MAPPER.writeTree(json, BooksJson.samples(kept.get().books()));
      json.writeArrayFieldStart("finished");
      Iterator<String> lines = kept.get().json().iterator();
      while (lines.hasNext()) {
        json.writeRawValue(lines.next());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void texts(JsonGenerator json, String name, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
  }
}
