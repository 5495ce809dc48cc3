package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.VerifyRecord;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The books of a task, as a shuffle record beside the rollup records. The shuffle holds the records
 * of one attempt only, so a retried attempt is not counted twice; an accumulator would count it
 * twice.
 *
 * @param raw books of a partition of the raw snapshot, or the counted rows of a part of a rollup
 *     table; else null
 * @param stored books of a part of a rollup table; null for the raw side
 */
record BooksRecord(@Nullable Books raw, @Nullable StoredBooks stored) implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Makes a record.
   *
   * @param number of the task within its side
   */
  Tuple2<byte[], byte[]> record(int number) {
    byte[] key =
        ByteBuffer.allocate(Short.BYTES + 1 + Integer.BYTES)
            .putShort((short) VerifyRecord.NO_SERIES)
            .put((byte) (raw == null ? 1 : 0))
            .putInt(number)
            .array();
    return new Tuple2<>(key, JavaBytes.of(this));
  }

  static boolean is(byte[] key) {
    return (key[0] & key[1]) == (byte) 0xff;
  }

  static BooksRecord read(byte[] value) {
    return JavaBytes.read(value, BooksRecord.class);
  }
}
