package io.tsdbsuite.trigger.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the queue.
 *
 * @param id identifies the message in a partial batch response
 * @param body EventBridge's event, as text
 * @param receives number of deliveries by SQS, including this one
 */
public record QueueMessage(String id, String body, int receives) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Parses the input of a function that SQS invokes.
   *
   * @throws IllegalArgumentException when the input is not an SQS batch
   * @throws IOException when the stream fails
   */
  public static List<QueueMessage> readAll(InputStream input) throws IOException {
    JsonNode records = MAPPER.readTree(input).path("Records");
    if (!records.isArray()) {
      throw new IllegalArgumentException("the input must be an SQS batch: it has no Records");
    }
    List<QueueMessage> messages = new ArrayList<>();
    for (JsonNode record : records) {
      String id = record.path("messageId").asText();
      if (id.isEmpty()) {
        throw new IllegalArgumentException("the input must be an SQS batch: no messageId");
      }
      messages.add(
          new QueueMessage(
              id,
              record.path("body").asText(),
              record.at("/attributes/ApproximateReceiveCount").asInt(1)));
    }
    return messages;
  }
}
