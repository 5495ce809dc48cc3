/**
 * Reads the HFiles of HBase snapshots and writes HFiles for bulk loads, without a region server.
 *
 * <p>To read a snapshot below an HBase root directory or the target of ExportSnapshot, with read
 * permission only:
 *
 * <pre>{@code
 * Snapshot snapshot = new SnapshotLoader(new Configuration(), root).load("night", "t");
 * ReadSource source = ReadSource.of(snapshot);
 * StoreFileResolver resolver = new StoreFileResolver(snapshot);
 * for (SnapshotRegion region : snapshot.regions()) {
 *   List<SnapshotFile> hfiles = resolver.resolve(region);
 *   byte[] from = region.startKey();
 *   byte[] to = region.endKey();
 *   try (RegionFiles files = RegionFiles.open(source, hfiles, true, new ReadTracker());
 *       RowReader rows = RowReaders.open(source, files, from, to, true, ReadRanges.ALL)) {
 *     while (rows.peek()) {
 *       count += rows.read(visitor);
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>{@code visitor} is a {@link io.tsdbsuite.hbase.read.CellVisitor}, which gets the newest
 * version of each column as a client's scan would have when the snapshot was taken. {@link
 * io.tsdbsuite.hbase.read.SnapshotRows} is this loop for a range of rows, with messages for files
 * that cannot be read.
 *
 * <ul>
 *   <li>{@link io.tsdbsuite.hbase.snapshot}: manifests of snapshots, and the locations of their
 *       HFiles;
 *   <li>{@link io.tsdbsuite.hbase.read}: rows, indexes and key samples of HFiles;
 *   <li>{@link io.tsdbsuite.hbase.load}: HFiles for a bulk load.
 * </ul>
 *
 * <p>This package has the exceptions of all three ({@link io.tsdbsuite.hbase.StorageException}),
 * and the settings that HBase keeps for the whole process. {@code org.apache.hadoop.hbase} has
 * classes that need package-private members of HBase.
 */
@NullMarked
package io.tsdbsuite.hbase;

import org.jspecify.annotations.NullMarked;
