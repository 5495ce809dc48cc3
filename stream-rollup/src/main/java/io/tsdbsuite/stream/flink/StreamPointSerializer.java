package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.series.StreamPoint;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes points between tasks. No state has them, so the format may change. */
public final class StreamPointSerializer extends TypeSerializerSingleton<StreamPoint> {
  /** The only instance. */
  public static final StreamPointSerializer INSTANCE = new StreamPointSerializer();

  private static final long serialVersionUID = 1L;
  private static final int AHEAD = 1;
  private static final int CELL = 2;

  private StreamPointSerializer() {}

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public StreamPoint createInstance() {
    return new StreamPoint();
  }

  @Override
  public StreamPoint copy(StreamPoint from) {
    return copy(from, new StreamPoint());
  }

  @Override
  public StreamPoint copy(StreamPoint from, StreamPoint reuse) {
    reuse.hash = from.hash;
    // Never changed once it is set.
    reuse.names = from.names;
    reuse.millis = from.millis;
    reuse.flags = from.flags;
    reuse.bits = from.bits;
    reuse.cell = from.cell;
    reuse.messageMillis = from.messageMillis;
    reuse.ahead = from.ahead;
    return reuse;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(StreamPoint point, DataOutputView target) throws IOException {
    target.writeLong(point.hash);
    target.writeLong(point.millis);
    target.writeLong(point.bits);
    target.writeInt(point.flags);
    target.writeLong(point.messageMillis);
    target.writeByte((point.ahead ? AHEAD : 0) | (point.cell.length > 0 ? CELL : 0));
    target.writeShort(point.names.length);
    target.write(point.names);
    if (point.cell.length > 0) {
      target.writeInt(point.cell.length);
      target.write(point.cell);
    }
  }

  @Override
  public StreamPoint deserialize(DataInputView source) throws IOException {
    return deserialize(new StreamPoint(), source);
  }

  @Override
  public StreamPoint deserialize(StreamPoint reuse, DataInputView source) throws IOException {
    reuse.hash = source.readLong();
    reuse.millis = source.readLong();
    reuse.bits = source.readLong();
    reuse.flags = source.readInt();
    reuse.messageMillis = source.readLong();
    int marks = source.readByte();
    reuse.ahead = (marks & AHEAD) != 0;
    int length = source.readUnsignedShort();
    if (reuse.names.length != length) {
      reuse.names = new byte[length];
    }
    source.readFully(reuse.names);
    reuse.cell = StreamPoint.NO_CELL;
    if ((marks & CELL) != 0) {
      reuse.cell = new byte[source.readInt()];
      source.readFully(reuse.cell);
    }
    return reuse;
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<StreamPoint> snapshotConfiguration() {
    return new Snapshot();
  }

  /** For Flink. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<StreamPoint> {
    /** For Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
