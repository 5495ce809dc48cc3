package io.tsdbsuite.bench;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.TimestampType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Makes the messages of a day of rollups, and a batch of them as Kafka's producer does. */
@State(Scope.Thread)
public class StoredBenchmark {
  private static final int SERIES = 200;
  private static final int HOURS = 24;

  /** Rollups of one operation. */
  static final int ROLLUPS = SERIES * HOURS;

  private static final long AS_OF = 1_763_600_400_000L;
  private static final long START = 1_763_510_400;
  private static final long HOUR = 3600;

  /** rollup-job's batch.size. */
  private static final int BATCH = 256 << 10;

  /** How many rollups are in a message, and how. */
  public enum Form {
    ALONE(1, "1 rollup in a message"),
    ARRAY(HOURS, "24, version 1"),
    COLUMNS(HOURS, "24, version 3");

    final String description;
    private final int rollups;

    Form(int rollups, String description) {
      this.rollups = rollups;
      this.description = description;
    }
  }

  /** Form of the messages. */
  @Param public Form form;

  /** Values of the points. */
  @Param({"HOURS", "HOURS_OF_FLOATS", "HOURS_OF_PERCENTS"})
  public PackedBenchmark.Shape shape;

  private final SeriesText[] series = new SeriesText[SERIES];
  private final RollupValues[] values = new RollupValues[ROLLUPS];
  private SeriesMessage message;
  private Compression compression;
  private ByteBuffer buffer;

  /** Bytes of the batch of the last operation. */
  private int bytes;

  /** Draws the points. */
  @Setup
  public void setUp() {
    Random random = new Random(1);
    for (int i = 0; i < SERIES; i++) {
      RollupPoint point =
          BenchRollup.of(
              "sys.cpu.user", START, 0, 0, 0, "cpu", "" + i % 16, "host", "web" + i + ".example");
      series[i] = SeriesText.of(point);
    }
    for (int i = 0; i < ROLLUPS; i++) {
      double[] drawn = shape.rollup(random);
      values[i] = new RollupValues();
      values[i].set(drawn[0], drawn[1], drawn[2], PackedBenchmark.POINTS);
    }
    message = new SeriesMessage(AS_OF, form == Form.COLUMNS);
    compression = Compression.zstd().level(1).build();
    buffer = ByteBuffer.allocate(2 * BATCH);
  }

  /** One operation: the rollups of all series to messages, and these to a batch. */
  @Benchmark
  public MemoryRecords store() {
    buffer.clear();
    MemoryRecordsBuilder batch =
        MemoryRecords.builder(
            buffer, RecordBatch.CURRENT_MAGIC_VALUE, compression, TimestampType.CREATE_TIME, 0L);
    for (int i = 0; i < SERIES; i++) {
      for (int hour = 0; hour < HOURS; hour += form.rollups) {
        message.begin(series[i]);
        for (int k = hour; k < hour + form.rollups; k++) {
          message.add(START + k * HOUR, "1h", values[i * HOURS + k]);
        }
        batch.append(AS_OF, series[i].key(), message.toByteArray());
      }
    }
    MemoryRecords records = batch.build();
    bytes = records.sizeInBytes();
    return records;
  }

  /** Bytes of a rollup in a batch. */
  static double bytes(Form form, PackedBenchmark.Shape shape) {
    StoredBenchmark benchmark = new StoredBenchmark();
    benchmark.form = form;
    benchmark.shape = shape;
    benchmark.setUp();
    benchmark.store();
    return (double) benchmark.bytes / ROLLUPS;
  }
}
