package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.series.StreamPoint;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Used only where operator chaining is switched off: GapDetector follows the source in one task.
 */
public final class KafkaPointSerializer extends TypeSerializerSingleton<KafkaPoint> {
  /** The only instance. */
  public static final KafkaPointSerializer INSTANCE = new KafkaPointSerializer();

  private static final long serialVersionUID = 1L;

  private KafkaPointSerializer() {}

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public KafkaPoint createInstance() {
    return new KafkaPoint();
  }

  @Override
  public KafkaPoint copy(KafkaPoint from) {
    return copy(from, new KafkaPoint());
  }

  @Override
  public KafkaPoint copy(KafkaPoint from, KafkaPoint reuse) {
    reuse.kind = from.kind;
    reuse.topic = from.topic;
    reuse.partition = from.partition;
    reuse.offset = from.offset;
    reuse.time = from.time;
    reuse.readMillis = from.readMillis;
    reuse.wrongTime = from.wrongTime;
    reuse.point = StreamPointSerializer.INSTANCE.copy(from.point, new StreamPoint());
    return reuse;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(KafkaPoint element, DataOutputView target) throws IOException {
    target.writeUTF(element.kind.name());
    target.writeUTF(element.topic);
    target.writeInt(element.partition);
    target.writeLong(element.offset);
    target.writeLong(element.time);
    target.writeLong(element.readMillis);
    target.writeBoolean(element.wrongTime);
    StreamPointSerializer.INSTANCE.serialize(element.point, target);
  }

  @Override
  public KafkaPoint deserialize(DataInputView source) throws IOException {
    return deserialize(new KafkaPoint(), source);
  }

  @Override
  public KafkaPoint deserialize(KafkaPoint reuse, DataInputView source) throws IOException {
    reuse.kind = KafkaPoint.Kind.valueOf(source.readUTF());
    reuse.topic = source.readUTF();
    reuse.partition = source.readInt();
    reuse.offset = source.readLong();
    reuse.time = source.readLong();
    reuse.readMillis = source.readLong();
    reuse.wrongTime = source.readBoolean();
    reuse.point = StreamPointSerializer.INSTANCE.deserialize(new StreamPoint(), source);
    return reuse;
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<KafkaPoint> snapshotConfiguration() {
    return new Snapshot();
  }

  /** For Flink. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<KafkaPoint> {
    /** For Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
