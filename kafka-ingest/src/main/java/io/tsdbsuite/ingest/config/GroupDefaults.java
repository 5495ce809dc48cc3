package io.tsdbsuite.ingest.config;

import io.tsdbsuite.message.read.MessageLimits;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of all groups. */
final class GroupDefaults {
  final @Nullable String deadLetterTopic;
  final long requeueDelayMillis;
  final long readyLag;
  final long stallMillis;
  final MessageLimits messageLimits;
  final long drainMillis;
  final long ackTimeoutMillis;
  final Map<String, String> kafka;

  GroupDefaults(
      @Nullable String deadLetterTopic,
      long requeueDelayMillis,
      long readyLag,
      long stallMillis,
      MessageLimits messageLimits,
      long drainMillis,
      long ackTimeoutMillis,
      Map<String, String> kafka) {
    this.deadLetterTopic = deadLetterTopic;
    this.requeueDelayMillis = requeueDelayMillis;
    this.readyLag = readyLag;
    this.stallMillis = stallMillis;
    this.messageLimits = messageLimits;
    this.drainMillis = drainMillis;
    this.ackTimeoutMillis = ackTimeoutMillis;
    this.kafka = kafka;
  }
}
