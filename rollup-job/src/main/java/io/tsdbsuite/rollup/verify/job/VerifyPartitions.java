package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.rollup.verify.VerifyRecord;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.Partitioner;

/** Places all records of a series in one partition, and the records of books in the first. */
final class VerifyPartitions extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final int partitions;

  VerifyPartitions(int partitions) {
    this.partitions = partitions;
  }

  /** Order of the records within a partition. */
  static final class Order implements Comparator<byte[]>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public int compare(byte[] a, byte[] b) {
      return Arrays.compareUnsigned(a, b);
    }
  }

  @Override
  public int numPartitions() {
    return partitions;
  }

  @Override
  public int getPartition(Object key) {
    byte[] bytes = (byte[]) key;
    if (BooksRecord.is(bytes)) {
      return 0;
    }
    int hash = Arrays.hashCode(VerifyRecord.tsuid(bytes));
    // Java's hash of byte arrays varies too little in its low bits.
    return Math.floorMod(hash ^ (hash >>> 15), partitions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerifyPartitions that && that.partitions == partitions;
  }

  @Override
  public int hashCode() {
    return partitions;
  }
}
