package io.tsdbsuite.stream.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A start without a checkpoint in place of another job, version 1: docs/rollup-message.md. It is in
 * the topic of the watermarks, for the next such start.
 *
 * @param firstTime buckets that end behind it, less slack and spread, may be missing; milliseconds
 *     since the epoch
 * @param completeFrom buckets that begin before are requested, milliseconds since the epoch
 */
public record RollupStart(long firstTime, long completeFrom) {
  private static final String TYPE = "RollupStart";
  private static final int VERSION = 1;

  /** The key of its message. */
  public static byte[] key(String group) {
    return ("start/" + group).getBytes(StandardCharsets.UTF_8);
  }

  /** The message as JSON in UTF-8. */
  public byte[] encode() {
    return String.format(
            Locale.ROOT,
            "{\"type\":\"%s\",\"v\":%d,\"firstTime\":%d,\"completeFrom\":%d}",
            TYPE,
            VERSION,
            firstTime,
            completeFrom)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Reads a message; null if it is none of this version. */
  public static @Nullable RollupStart decode(byte[] message) {
    try {
      JsonNode start = new ObjectMapper().readTree(message);
      JsonNode first = start.path("firstTime");
      JsonNode complete = start.path("completeFrom");
      return start.path("type").asText().equals(TYPE)
              && start.path("v").asInt() == VERSION
              && first.isIntegralNumber()
              && complete.isIntegralNumber()
          ? new RollupStart(first.asLong(), complete.asLong())
          : null;
    } catch (IOException e) {
      return null;
    }
  }
}
