package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.series.SeriesAggregator;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes the state of a series: the bytes in use, with their length in front.
 *
 * <p>Its snapshot has the version of the bytes and the intervals. A checkpoint of other intervals
 * or of a newer version is refused; the bytes of version 1 are converted when they are read, those
 * of version 2 have no marks, those of version 3 no buckets of native histograms alone, and all are
 * written as the present version. So every state of a checkpoint must be registered by the job.
 */
public final class SeriesStateSerializer extends TypeSerializer<byte[]> {
  /** Version of the bytes of a series, and of its further values. */
  public static final int VERSION = 4;

  private static final int PACKED_POINTS = 2;

  private static final long serialVersionUID = 1L;
  private static final byte[] EMPTY = {};

  private final String intervals;

  /** Version of the bytes that are read. */
  private final int version;

  /** A serializer for entries of these intervals. */
  public SeriesStateSerializer(StreamIntervals intervals) {
    this(text(intervals), VERSION);
  }

  private SeriesStateSerializer(String intervals, int version) {
    this.intervals = intervals;
    this.version = version;
  }

  /** The intervals as the snapshot has them. */
  static String text(StreamIntervals intervals) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < intervals.size(); i++) {
      text.append(i == 0 ? "" : ",").append(intervals.name(i));
    }
    return text.toString();
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<byte[]> duplicate() {
    return this;
  }

  @Override
  public byte[] createInstance() {
    return EMPTY;
  }

  @Override
  public byte[] copy(byte[] from) {
    return from.clone();
  }

  @Override
  public byte[] copy(byte[] from, byte[] reuse) {
    return from.clone();
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(byte[] state, DataOutputView target) throws IOException {
    int length = SeriesAggregator.length(state);
    target.writeInt(length);
    target.write(state, 0, length);
  }

  @Override
  public byte[] deserialize(DataInputView source) throws IOException {
    int length = source.readInt();
    if (version < PACKED_POINTS) {
      byte[] old = new byte[length];
      source.readFully(old);
      return SeriesAggregator.convertVersion1(old, intervals.split(",", -1).length);
    }
    byte[] state = new byte[SeriesAggregator.capacity(length)];
    source.readFully(state, 0, length);
    return state;
  }

  @Override
  public byte[] deserialize(byte[] reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SeriesStateSerializer that
        && that.intervals.equals(intervals)
        && that.version == version;
  }

  @Override
  public int hashCode() {
    return intervals.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<byte[]> snapshotConfiguration() {
    return new Snapshot(intervals);
  }

  /** What a checkpoint says of its states. */
  public static final class Snapshot implements TypeSerializerSnapshot<byte[]> {
    private String intervals;
    private int version = VERSION;

    /** For Flink, which then calls {@link #readSnapshot}. */
    public Snapshot() {
      this("");
    }

    private Snapshot(String intervals) {
      this.intervals = intervals;
    }

    @Override
    public int getCurrentVersion() {
      return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      out.writeUTF(intervals);
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader classes)
        throws IOException {
      if (version < 1 || version > VERSION) {
        throw StateVersionException.version(version);
      }
      this.version = version;
      intervals = in.readUTF();
    }

    @Override
    public TypeSerializer<byte[]> restoreSerializer() {
      return new SeriesStateSerializer(intervals, version);
    }

    @Override
    public TypeSerializerSchemaCompatibility<byte[]> resolveSchemaCompatibility(
        TypeSerializerSnapshot<byte[]> before) {
      if (!(before instanceof Snapshot that) || !Objects.equals(that.intervals, intervals)) {
        return TypeSerializerSchemaCompatibility.incompatible();
      }
      return that.version == version
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
    }
  }
}
