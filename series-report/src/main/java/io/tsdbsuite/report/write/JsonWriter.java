package io.tsdbsuite.report.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JSON object, with one line for each series or group. */
final class JsonWriter implements ReportWriter {
  private static final int VERSION = 1;

  private final JsonGenerator json;
  private final Kind kind;

  JsonWriter(Writer out, Kind kind) throws IOException {
    this.json = new JsonFactory().createGenerator(out);
    this.kind = kind;
  }

  @Override
  public void begin() throws IOException {
    json.writeStartObject();
    json.writeStringField("report", kind.name());
    json.writeNumberField("v", VERSION);
    json.writeStringField("now", Instant.ofEpochMilli(kind.now()).toString());
    json.writeNumberField("nowMillis", kind.now());
    if (kind.groupBy() != null) {
      json.writeStringField("groupBy", kind.groupBy());
    }
    json.writeArrayFieldStart(kind.groupBy() == null ? "series" : "groups");
  }

  @Override
  public void series(Series series) throws IOException {
    json.writeRaw('\n');
    json.writeStartObject();
    json.writeStringField("tsuid", series.tsuid());
    json.writeStringField("metric", series.metric());
    json.writeObjectFieldStart("tags");
    for (Map.Entry<String, String> tag : series.tags().entrySet()) {
      json.writeStringField(tag.getKey(), tag.getValue());
    }
    json.writeEndObject();
    time("lastReceived", series.lastReceived());
    number("points", series.points());
    number("createdSeconds", series.created());
    json.writeEndObject();
  }

  @Override
  public void group(Group group) throws IOException {
    json.writeRaw('\n');
    json.writeStartObject();
    json.writeStringField("group", group.name());
    json.writeNumberField("series", group.matching());
    json.writeNumberField("ofSeries", group.total());
    time("oldest", group.oldest());
    time("newest", group.newest());
    json.writeEndObject();
  }

  @Override
  public void end(long leftOff) throws IOException {
    json.writeRaw('\n');
    json.writeEndArray();
    json.writeNumberField("leftOff", leftOff);
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }

  private void time(String name, @Nullable Long millis) throws IOException {
    json.writeStringField(name, millis == null ? null : Times.utc(millis));
    number(name + "Millis", millis);
  }

  private void number(String name, @Nullable Long number) throws IOException {
    if (number == null) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, number);
    }
  }
}
