package io.tsdbsuite.testkit;

/** The broker versions that the testkit can start; its clients always have version 3.9.2. */
public enum KafkaVersion {
  /** 2.8.2 with its own ZooKeeper, the last 2.x release. */
  V2_8,
  /** 3.9.2 in KRaft mode, the default. */
  V3_9,
  /** 4.3.1 in KRaft mode. */
  V4_3;

  ServerKind kind() {
    return switch (this) {
      case V2_8 -> ServerKind.KAFKA_2;
      case V3_9 -> ServerKind.KAFKA;
      case V4_3 -> ServerKind.KAFKA_4;
    };
  }
}
