package io.tsdbsuite.rollup.snapshot;

import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.snapshot.SnapshotFile.Half;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;

/**
 * Finds the HFiles that a manifest names.
 *
 * <pre>
 * name in the manifest              the HFile is of
 * &lt;hfile&gt;                           this table and region
 * &lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;          the table and region in the name (HFileLink of a clone)
 * &lt;hfile&gt;.&lt;parent&gt;                  this table, region parent (reference after a split)
 * &lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;.&lt;parent&gt; the table and region in the name (reference to a link)
 * </pre>
 *
 * Each is looked for below {@code data/} and below {@code archive/data/}, where ExportSnapshot and
 * HBase's cleaner put it.
 */
public final class StoreFileResolver {
  private final Snapshot snapshot;

  /** A resolver for the files of {@code snapshot}. */
  public StoreFileResolver(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * Finds every store file of a region and checks its length against the manifest.
   *
   * @throws RollupException bad input, when a file is missing or has another length
   * @throws IOException when the file system cannot be asked
   */
  public List<SnapshotFile> resolve(SnapshotRegion region) throws IOException {
    List<SnapshotFile> files = new ArrayList<>(region.storeFiles().size());
    for (StoreFile storeFile : region.storeFiles()) {
      files.add(resolve(region, storeFile));
    }
    return List.copyOf(files);
  }

  private SnapshotFile resolve(SnapshotRegion region, StoreFile storeFile) throws IOException {
    String name = storeFile.getName();
    if (!StoreFileInfo.isReference(name)) {
      FileStatus found = find(link(region.encodedName(), name), name);
      requireLength(storeFile, found);
      return new SnapshotFile(name, found.getPath().toString(), found.getLen(), Half.WHOLE, null);
    }
    Reference reference = reference(region, storeFile);
    Path referred =
        StoreFileInfo.getReferredToFile(new Path(regionDirectory(region.encodedName()), name));
    String parent = referred.getParent().getParent().getName();
    FileStatus found = find(link(parent, referred.getName()), name);
    Half half = Reference.isTopFileRegion(reference.getFileRegion()) ? Half.TOP : Half.BOTTOM;
    return new SnapshotFile(
        name, found.getPath().toString(), found.getLen(), half, splitRow(reference));
  }

  private static byte[] splitRow(Reference reference) {
    byte[] key = reference.getSplitKey();
    return CellUtil.cloneRow(new KeyValue.KeyOnlyKeyValue(key, 0, key.length));
  }

  private Path regionDirectory(String encodedRegion) {
    return new Path(new Path(snapshot.table(), encodedRegion), snapshot.family().getNameAsString());
  }

  private Reference reference(SnapshotRegion region, StoreFile storeFile) throws IOException {
    if (storeFile.hasReference()) {
      return Reference.convert(storeFile.getReference());
    }
    // Manifests of old HBase versions leave the split key in the reference file itself.
    FileStatus file = find(link(region.encodedName(), storeFile.getName()), storeFile.getName());
    return Reference.read(snapshot.fileSystem(), file.getPath());
  }

  private HFileLink link(String encodedRegion, String hfile) throws IOException {
    Path path =
        HFileLink.isHFileLink(hfile)
            ? new Path(snapshot.family().getNameAsString(), hfile)
            : HFileLink.createPath(
                TableName.valueOf(snapshot.table()),
                encodedRegion,
                snapshot.family().getNameAsString(),
                hfile);
    return HFileLink.buildFromHFileLinkPattern(snapshot.conf(), path);
  }

  private FileStatus find(HFileLink link, String name) throws IOException {
    for (Path location : List.of(link.getArchivePath(), link.getOriginPath())) {
      try {
        return snapshot.fileSystem().getFileStatus(location);
      } catch (FileNotFoundException e) {
        if (e.getClass() != FileNotFoundException.class) {
          throw e;
        }
      }
    }
    throw RollupException.badInput(
        "snapshot '"
            + snapshot.name()
            + "' is not whole: HFile "
            + name
            + " is at none of "
            + Arrays.stream(new Path[] {link.getArchivePath(), link.getOriginPath()})
                .map(Path::toString)
                .collect(Collectors.joining(", "))
            + "; export it again",
        null);
  }

  private void requireLength(StoreFile storeFile, FileStatus found) {
    if (storeFile.hasFileSize() && storeFile.getFileSize() != found.getLen()) {
      throw RollupException.badInput(
          "snapshot '"
              + snapshot.name()
              + "': HFile "
              + found.getPath()
              + " has "
              + found.getLen()
              + " bytes where the manifest says "
              + storeFile.getFileSize()
              + ": truncated or overwritten; export it again",
          null);
    }
  }
}
