package io.tsdbsuite.ingest.config;

import java.util.Map;

/** Defaults of all groups. */
final class GroupDefaults {
  final String deadLetterTopic;
  final long requeueDelayMillis;
  final long readyLag;
  final long stallMillis;
  final Map<String, String> kafka;

  GroupDefaults(
      String deadLetterTopic,
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
