package io.tsdbsuite.stream.flink;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of a stream's elements that have a serializer of ours. */
final class ElementType<T> extends TypeInformation<T> {
  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final TypeSerializer<T> serializer;

  ElementType(Class<T> type, TypeSerializer<T> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  /** Of Flink 1.20; Flink 2 has no such method, so it is not marked as one that overrides. */
  @SuppressWarnings({"deprecation", "MissingOverride"})
  public TypeSerializer<T> createSerializer(org.apache.flink.api.common.ExecutionConfig config) {
    return serializer;
  }

  /** Of Flink 2. */
  @Override
  public TypeSerializer<T> createSerializer(
      org.apache.flink.api.common.serialization.SerializerConfig config) {
    return serializer;
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ElementType<?> that && that.type == type;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ElementType;
  }
}
