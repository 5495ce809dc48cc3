package io.tsdbsuite.trigger.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;

/**
 * The state machine's input to PrepareHandler: {@code
 * {"execution":"arn:...:execution:MACHINE:NAME","input":{...}}}.
 *
 * @param execution ARN of the execution
 * @param input its input
 */
public record PrepareInput(String execution, ExecutionInput input) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Parses the JSON.
   *
   * @throws IllegalArgumentException with the field, the rule and the value found
   * @throws IOException when the stream fails
   */
  public static PrepareInput read(InputStream stream) throws IOException {
    JsonNode json;
    try {
      json = MAPPER.readTree(stream);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the input must be JSON: " + e.getOriginalMessage(), e);
    }
    String execution = json.path("execution").asText();
    if (!RunningExecutions.isExecution(execution)) {
      throw new IllegalArgumentException(
          "the input's execution must be the ARN of an execution, found: "
              + json.path("execution"));
    }
    return new PrepareInput(execution, ExecutionInput.read(json.path("input")));
  }
}
