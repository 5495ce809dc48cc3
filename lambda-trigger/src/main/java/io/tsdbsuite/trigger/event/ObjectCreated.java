package io.tsdbsuite.trigger.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.trigger.s3.S3Location;

/**
 * An "Object Created" event that S3 sends to EventBridge. Its keys are not URL-encoded, unlike the
 * keys of S3's own notifications. The {@code reason} (PutObject, CopyObject,
 * CompleteMultipartUpload, ...) is ignored.
 */
public final class ObjectCreated {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ObjectCreated() {}

  /**
   * The object of an event.
   *
   * @throws MalformedEventException when the text is not such an event
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
          name(pointer) + " must be '" + value + "', found: '" + found + "'");
    }
  }

  private static String text(JsonNode event, String pointer) {
    JsonNode node = event.at(pointer);
    if (!node.isTextual() || node.textValue().isEmpty()) {
      throw new MalformedEventException(name(pointer) + " must be a text, found: " + node);
    }
    return node.textValue();
  }

  private static String name(String pointer) {
    return "an event's " + pointer.substring(1).replace('/', '.');
  }

  /** A message that cannot be parsed; the exception's message has the reason. */
  public static final class MalformedEventException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedEventException(String problem) {
      super(problem);
    }

    MalformedEventException(String problem, Throwable cause) {
      super(problem, cause);
    }
  }
}
