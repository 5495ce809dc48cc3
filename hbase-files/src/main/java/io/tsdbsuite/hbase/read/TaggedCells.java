package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.NonReversedNonLazyKeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a store file with tags, for HBase's merge, which would compare a cell's own TTL with
 * the present and ignore visibility labels. A cell loses a TTL that had not ended when the snapshot
 * was taken. A label in a row that is read is refused, also on a cell that the merge hides or
 * passes over: a TSD may not be allowed to see the cell, and a delete may not be meant for the
 * others.
 */
final class TaggedCells extends NonReversedNonLazyKeyValueScanner {
  private final KeyValueScanner file;
  private final long snapshotTime;
  private @Nullable Cell current;

  /**
   * @param file closed with this
   * @param snapshotTime milliseconds since the epoch
   */
  TaggedCells(KeyValueScanner file, long snapshotTime) {
    this.file = file;
    this.snapshotTime = snapshotTime;
  }

  @Override
  public @Nullable Cell peek() {
    return current;
  }

  @Override
  public @Nullable Cell next() throws IOException {
    Cell passed = current;
    if (passed != null) {
      requireUnlabelled(file.next());
      load();
    }
    return passed;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    file.seek(key);
    return load();
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    Cell cell = current;
    while (cell != null && CellComparatorImpl.COMPARATOR.compare(cell, key) < 0) {
      if (!CellUtil.matchingRows(cell, key)) {
        file.reseek(key);
        return load();
      }
      next();
      cell = current;
    }
    return cell != null;
  }

  /** Takes the next cell. If its TTL had ended before the snapshot, it has ended for HBase, too. */
  private boolean load() {
    Cell cell = file.peek();
    if (cell != null) {
      Optional<Tag> ttl = PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE);
      if (ttl.isPresent() && cell.getTimestamp() + Tag.getValueAsLong(ttl.get()) >= snapshotTime) {
        cell = PrivateCellUtil.createCell(cell, HConstants.EMPTY_BYTE_ARRAY);
      }
    }
    current = cell;
    return cell != null;
  }

  private static void requireUnlabelled(Cell cell) {
    Iterator<Tag> tags = PrivateCellUtil.tagsIterator(cell);
    while (tags.hasNext()) {
      byte type = tags.next().getType();
      if (type == TagType.VISIBILITY_TAG_TYPE
          || type == TagType.VISIBILITY_EXP_SERIALIZATION_FORMAT_TAG_TYPE
          || type == TagType.STRING_VIS_TAG_TYPE) {
        throw StorageException.configuration(
            ("row %s has a cell with visibility labels, by which HBase decides who may read it;"
                 + " files cannot be read as the user of the TSDs: copy the table as that user into"
                 + " one without labels, and take the snapshot of the copy")
                .formatted(Bytes.toStringBinary(CellUtil.cloneRow(cell))));
      }
    }
  }

  @Override
  public long getScannerOrder() {
    return file.getScannerOrder();
  }

  @Override
  public void close() {
    file.close();
  }
}
