package io.tsdbsuite.trigger.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.ObjectStore.StoredObject;
import io.tsdbsuite.trigger.s3.S3Location;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/**
 * The marker object, which the exporter writes after both exports have succeeded: {@code
 * <root>/_EXPORTED/<date>.json} with {@code
 * {"v":1,"date":"2026-11-21","dataSnapshot":"tsdb-20261121","uidSnapshot":"tsdb-uid-20261121"}}.
 */
public final class Marker {
  /** The directory of the markers, below the root. */
  public static final String DIRECTORY = "_EXPORTED";

  private static final int VERSION = 1;
  private static final int MAX_BYTES = 64 << 10;
  private static final Pattern SNAPSHOT = Pattern.compile("[a-zA-Z_0-9][a-zA-Z_0-9.-]*");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Marker() {}

  /**
   * Reads a marker.
   *
   * @param date the date in its name
   * @throws MarkerException when it does not exist any more or breaks a rule
   * @throws IOException when reading fails
   */
  public static Night read(ObjectStore store, S3Location place, LocalDate date) throws IOException {
    try (StoredObject object =
        store.get(place).orElseThrow(() -> new MarkerException(place, "does not exist any more"))) {
      return parse(place, MAPPER.readTree(object.bytes(MAX_BYTES)), date);
    } catch (JsonProcessingException e) {
      throw new MarkerException(place, "is not JSON: " + e.getOriginalMessage());
    }
  }

  private static Night parse(S3Location place, JsonNode marker, LocalDate date) {
    if (marker.path("v").asInt() != VERSION) {
      throw new MarkerException(place, "must have v " + VERSION + ", found: " + marker.path("v"));
    }
    LocalDate written;
    try {
      written = LocalDate.parse(marker.path("date").asText());
    } catch (DateTimeException e) {
      throw new MarkerException(place, "must have a date, found: " + marker.path("date"));
    }
    if (!written.equals(date)) {
      throw new MarkerException(place, "must have the date of its name, found: " + written);
    }
    return new Night(
        date, snapshot(place, marker, "dataSnapshot"), snapshot(place, marker, "uidSnapshot"));
  }

  private static String snapshot(S3Location place, JsonNode marker, String field) {
    String name = marker.path(field).asText();
    if (!SNAPSHOT.matcher(name).matches()) {
      throw new MarkerException(
          place, field + " must be the name of a snapshot, found: " + marker.path(field));
    }
    return name;
  }

  /** An invalid marker; the message names the marker, the rule and the value found. */
  public static final class MarkerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MarkerException(S3Location place, String problem) {
      super("marker " + place.uri() + " " + problem);
    }
  }
}
