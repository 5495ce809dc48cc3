package io.tsdbsuite.rollup.job;

import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Results of tasks as bytes, by the serializer that Spark has for its own, which is Java's. */
final class JavaBytes {
  private static final ClassTag<TaskResult> TAG = ClassTag$.MODULE$.apply(TaskResult.class);

  private JavaBytes() {}

  static byte[] of(TaskResult result) {
    ByteBuffer buffer = serializer().serialize(result, TAG);
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static TaskResult read(byte[] bytes) {
    return serializer()
        .deserialize(ByteBuffer.wrap(bytes), Thread.currentThread().getContextClassLoader(), TAG);
  }

  private static SerializerInstance serializer() {
    return SparkEnv.get().closureSerializer().newInstance();
  }
}
