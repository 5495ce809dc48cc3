package io.tsdbsuite.testkit;

/** The brokers that the testkit can start; its clients are 3.9.2 always. */
public enum KafkaVersion {
  /** 2.8.2 with a ZooKeeper of its own, the last of the 2 line. */
  V2_8,
  /** 3.9.2 in KRaft mode, the default. */
  V3_9,
  /** 4.3.1 in KRaft mode. */
  V4_3;

  ServerProcess.Kind kind() {
    return switch (this) {
      case V2_8 -> ServerProcess.Kind.KAFKA_2;
      case V3_9 -> ServerProcess.Kind.KAFKA;
      case V4_3 -> ServerProcess.Kind.KAFKA_4;
    };
  }
}
