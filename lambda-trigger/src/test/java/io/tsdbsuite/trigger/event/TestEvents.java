package io.tsdbsuite.trigger.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Events in EventBridge's form, and batches of them in SQS's form. */
public final class TestEvents {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private TestEvents() {}

  /** A recorded event, or a pattern, from the test's resources. */
  public static String recorded(String resource) {
    return tree(resource).toString();
  }

  private static JsonNode tree(String resource) {
    try (InputStream in = TestEvents.class.getResourceAsStream("/" + resource)) {
      return MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The event of an object of bucket {@code backup}. */
  public static String created(String key) {
    return created("backup", key, "PutObject");
  }

  /** The event of an object. */
  public static String created(String bucket, String key, String reason) {
    ObjectNode event = (ObjectNode) tree("events/put-object.json");
    ObjectNode detail = (ObjectNode) event.get("detail");
    detail.withObject("/bucket").put("name", bucket);
    detail.withObject("/object").put("key", key);
    detail.put("reason", reason);
    return event.toString();
  }

  /** The input of a function: an SQS batch with message ids m0, m1, ... */
  public static String batch(List<String> bodies) {
    ObjectNode batch = MAPPER.createObjectNode();
    for (int i = 0; i < bodies.size(); i++) {
      ObjectNode record = batch.withArray("/Records").addObject();
      record.put("messageId", "m" + i);
      record.put("receiptHandle", "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a");
      record.put("body", bodies.get(i));
      ObjectNode attributes = record.putObject("attributes");
      attributes.put("ApproximateReceiveCount", "2");
      attributes.put("SentTimestamp", "1795222923000");
      attributes.put("SenderId", "AIDAIENQZJOLO23YVJ4VO");
      attributes.put("ApproximateFirstReceiveTimestamp", "1795222923012");
      record.putObject("messageAttributes");
      record.put("md5OfBody", "e4e68fb7bd0e697a0ae8f1bb342846b3");
      record.put("eventSource", "aws:sqs");
      record.put("eventSourceARN", "arn:aws:sqs:us-east-1:123456789012:rollup");
      record.put("awsRegion", "us-east-1");
    }
    return batch.toString();
  }
}
