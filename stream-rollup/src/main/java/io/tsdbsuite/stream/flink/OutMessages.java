package io.tsdbsuite.stream.flink;

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;

/** Messages on their way to Kafka: number of the topic, key, value. */
final class OutMessages {
  /** Rollups. */
  static final byte ROLLUP = 0;

  /** Requests to repair rollups. */
  static final byte REQUEST = 1;

  /** Up to when an interval is complete. */
  static final byte WATERMARK = 2;

  private OutMessages() {}

  static TypeInformation<Tuple3<Byte, byte[], byte[]>> type() {
    return Types.TUPLE(
        Types.BYTE,
        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
  }
}
