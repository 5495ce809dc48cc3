package io.tsdbsuite.trigger.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.trigger.s3.S3Location;

/**
 * An "Object Created" event that S3 sends to EventBridge. Its keys are plain: other than in S3's
 * own notifications nothing is URL-encoded. The {@code reason} (PutObject, CopyObject,
 * CompleteMultipartUpload, ...) does not matter.
 */
public final class ObjectCreated {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ObjectCreated() {}

  /**
   * The object of an event.
   *
   * @throws MalformedEventException when the text is no such event
   */
  public static S3Location parse(String body) {
    JsonNode event;
    try {
      event = MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw new MalformedEventException("an event must be JSON: " + e.getOriginalMessage(), e);
    }
    require(event, "/source", "aws.s3");
    require(event, "/detail-type", "Object Created");
    return new S3Location(text(event, "/detail/bucket/name"), text(event, "/detail/object/key"));
  }

  private static void require(JsonNode event, String pointer, String value) {
    String found = text(event, pointer);
    if (!found.equals(value)) {
      throw new MalformedEventException(
          name(pointer) + " must be '" + value + "', found: '" + found + "'", null);
    }
  }

  private static String text(JsonNode event, String pointer) {
    JsonNode node = event.at(pointer);
    if (!node.isTextual() || node.textValue().isEmpty()) {
      throw new MalformedEventException(name(pointer) + " must be a text, found: " + node, null);
    }
    return node.textValue();
  }

  private static String name(String pointer) {
    return "an event's " + pointer.substring(1).replace('/', '.');
  }
}
