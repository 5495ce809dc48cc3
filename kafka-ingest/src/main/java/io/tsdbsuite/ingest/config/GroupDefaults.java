package io.tsdbsuite.ingest.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of all groups. */
final class GroupDefaults {
  final @Nullable String deadLetterTopic;
  final long requeueDelayMillis;
  final long readyLag;
  final long stallMillis;
  final Map<String, String> kafka;

  GroupDefaults(
      @Nullable String deadLetterTopic,
      long requeueDelayMillis,
      long readyLag,
      long stallMillis,
      Map<String, String> kafka) {
    this.deadLetterTopic = deadLetterTopic;
    this.requeueDelayMillis = requeueDelayMillis;
    this.readyLag = readyLag;
    this.stallMillis = stallMillis;
    this.kafka = kafka;
  }
}
