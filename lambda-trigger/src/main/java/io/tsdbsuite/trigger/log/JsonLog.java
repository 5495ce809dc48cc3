package io.tsdbsuite.trigger.log;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Log lines, one JSON object each: {@code time} (ISO-8601), {@code level} (INFO, WARN, ERROR),
 * {@code requestId} (Lambda's), {@code message}, and the fields of the line. The functions log
 * names, times and counts; never the environment, a message's body or a command line.
 *
 * @param out receives one line per call
 * @param requestId the invocation's id, in every line
 */
public record JsonLog(PrintStream out, Clock clock, String requestId) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int STACK_CHARACTERS = 4000;

  /**
   * Logs a normal event.
   *
   * @param fields names and values in turn
   */
  public void info(String message, Object... fields) {
    write("INFO", message, null, fields);
  }

  /**
   * Logs a failure that will be retried, or a condition that an operator should know.
   *
   * @param fields names and values in turn
   */
  public void warn(@Nullable String message, Object... fields) {
    write("WARN", message, null, fields);
  }

  /**
   * Logs an unexpected failure.
   *
   * @param cause shown with its stack trace
   * @param fields names and values in turn
   */
  public void error(String message, Throwable cause, Object... fields) {
    write("ERROR", message, cause, fields);
  }

  private void write(
      String level, @Nullable String message, @Nullable Throwable cause, Object... fields) {
    ObjectNode line = MAPPER.createObjectNode();
    line.put("time", clock.instant().toString());
    line.put("level", level);
    line.put("requestId", requestId);
    line.put("message", message);
    for (int i = 0; i < fields.length; i += 2) {
      Object value = fields[i + 1];
      String name = (String) fields[i];
      if (value instanceof Number || value instanceof Boolean) {
        line.putPOJO(name, value);
      } else {
        line.put(name, value == null ? null : value.toString());
      }
    }
    if (cause != null) {
      StringWriter stack = new StringWriter();
      cause.printStackTrace(new PrintWriter(stack));
      line.put("error", cause.toString());
      line.put(
          "stack",
          stack.toString().substring(0, Math.min(STACK_CHARACTERS, stack.toString().length())));
    }
    out.println(line);
  }
}
