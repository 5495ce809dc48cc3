package io.tsdbsuite.rollup.hfile;

import java.io.Serializable;

/**
 * An HFile of a run.
 *
 * @param table name of its table
 * @param name of the file within the table's family
 * @param region number of the region in the table at the start of the run, from 0
 * @param cells in it
 * @param bytes its length
 * @param firstRow its first row
 * @param lastRow its last row
 * @param crc32c of all its bytes, read back after writing
 */
public record WrittenFile(
    String table,
    String name,
    int region,
    long cells,
    long bytes,
    byte[] firstRow,
    byte[] lastRow,
    long crc32c)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
