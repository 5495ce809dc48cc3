package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.format.snapshot.StoreFileName;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.SnapshotFile.Half;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the HFiles of a manifest, whose names {@link StoreFileName} explains.
 *
 * <p>The resolver searches for each HFile below {@code data/} and below {@code archive/data/}, the
 * target of ExportSnapshot. A live HBase moves files from the first to the second, so below its
 * root the resolver searches in this order: then it finds a file that is moved meanwhile.
 */
public final class StoreFileResolver {
  private static final String ORIGIN =
      Path.SEPARATOR + HConstants.BASE_NAMESPACE_DIR + Path.SEPARATOR;
  private static final String ARCHIVE =
      Path.SEPARATOR + HConstants.HFILE_ARCHIVE_DIRECTORY + ORIGIN;

  private final Snapshot snapshot;

  /** Whether a live HBase may move files below the root; null until the resolver has checked it. */
  private @Nullable Boolean live;

  /** HBase's root directory; null until the resolver has needed it. */
  private @Nullable String root;

  /** A resolver for the files of {@code snapshot}. */
  public StoreFileResolver(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * Finds every store file of a region and checks its length against the manifest.
   *
   * @throws StorageException bad input, when a file is missing or has another length
   * @throws IOException when the file system fails
   */
  public List<SnapshotFile> resolve(SnapshotRegion region) throws IOException {
    List<SnapshotFile> files = new ArrayList<>(region.storeFiles().size());
    for (StoreFile storeFile : region.storeFiles()) {
      files.add(resolve(region, storeFile));
    }
    return List.copyOf(files);
  }

  /**
   * Finds a store file of a region and checks its length against the manifest.
   *
   * @throws StorageException bad input, when the file is missing or has another length
   * @throws IOException when the file system fails
   */
  public SnapshotFile resolve(SnapshotRegion region, StoreFile storeFile) throws IOException {
    String name = storeFile.getName();
    // Of a link and of a reference the manifest has the length of the HFile, too.
    Found found = find(path(region, name), name);
    requireLength(storeFile, found.status);
    return file(region, storeFile, found.place, found.status.getLen(), true);
  }

  /**
   * The places of a store file in the order in which {@link #resolve} asks for them, with the
   * length of the manifest. The file is not {@linkplain SnapshotFile#confirmed confirmed}: no
   * request asks for it.
   *
   * @return empty if the manifest lacks the length or the split row
   * @throws StorageException bad input, when the name is none of an HFile
   * @throws IOException when the file system fails
   */
  public List<SnapshotFile> expect(SnapshotRegion region, StoreFile storeFile) throws IOException {
    String name = storeFile.getName();
    StoreFilePath path = path(region, name);
    if (storeFile.getFileSize() <= 0
        || (StoreFileName.isReference(name) && !storeFile.hasReference())) {
      return List.of();
    }
    List<SnapshotFile> files = new ArrayList<>();
    for (Place place : places(path)) {
      files.add(file(region, storeFile, place, storeFile.getFileSize(), false));
    }
    return files;
  }

  private SnapshotFile file(
      SnapshotRegion region, StoreFile storeFile, Place place, long length, boolean confirmed)
      throws IOException {
    String name = storeFile.getName();
    Half half = Half.WHOLE;
    byte[] splitRow = null;
    if (StoreFileName.isReference(name)) {
      Reference reference = reference(region, storeFile);
      half = Reference.isTopFileRegion(reference.getFileRegion()) ? Half.TOP : Half.BOTTOM;
      splitRow = splitRow(reference, name);
    }
    String other = place.other == null ? null : place.other.toString();
    return new SnapshotFile(name, place.path.toString(), length, half, splitRow, other, confirmed);
  }

  /**
   * A place of an HFile.
   *
   * @param other path to or from which a live HBase may move the file; null without a live HBase
   */
  private record Place(Path path, @Nullable Path other) {}

  /** An existing HFile. */
  private record Found(Place place, FileStatus status) {}

  private byte[] splitRow(Reference reference, String name) {
    byte[] key = reference.getSplitKey();
    try {
      return CellUtil.cloneRow(new KeyValue.KeyOnlyKeyValue(key, 0, key.length));
    } catch (RuntimeException e) {
      throw StorageException.badInput(
          "snapshot '%s' is corrupt: the split key of %s must have a row, found %d bytes"
              .formatted(snapshot.name(), name, key.length),
          e);
    }
  }

  private StoreFilePath path(SnapshotRegion region, String name) {
    try {
      return StoreFilePath.of(
          TableName.valueOf(snapshot.table()),
          region.encodedName(),
          snapshot.family().getNameAsString(),
          name);
    } catch (IllegalArgumentException e) {
      throw StorageException.badInput(
          "snapshot '" + snapshot.name() + "' is corrupt: " + e.getMessage(), e);
    }
  }

  private Reference reference(SnapshotRegion region, StoreFile storeFile) throws IOException {
    if (storeFile.hasReference()) {
      return Reference.convert(storeFile.getReference());
    }
    // Manifests of old HBase versions leave the split key in the reference file itself.
    StoreFilePath path =
        new StoreFilePath(
            TableName.valueOf(snapshot.table()),
            region.encodedName(),
            snapshot.family().getNameAsString(),
            storeFile.getName());
    Found file = find(path, storeFile.getName());
    return Reference.read(snapshot.fileSystem(), file.place.path);
  }

  private Found find(StoreFilePath file, String name) throws IOException {
    for (Place place : places(file)) {
      FileStatus status = status(place.path);
      if (status != null) {
        return new Found(place, status);
      }
    }
    throw StorageException.badInput(
        "snapshot '%s' is not whole: HFile %s is at none of %s, %s; export it again"
            .formatted(snapshot.name(), name, path(ARCHIVE, file), path(ORIGIN, file)),
        null);
  }

  /** The places in which a file may be, in the order of the search. */
  private List<Place> places(StoreFilePath file) throws IOException {
    Path archived = path(ARCHIVE, file);
    Path origin = path(ORIGIN, file);
    return isLive()
        ? List.of(new Place(origin, archived), new Place(archived, origin))
        : List.of(new Place(archived, null), new Place(origin, null));
  }

  /** The path of a file below {@link #ORIGIN} or {@link #ARCHIVE}. */
  private Path path(String below, StoreFilePath file) throws IOException {
    // From one string: each join of two paths would parse both again.
    return new Path(root() + below + file.directory() + Path.SEPARATOR + file.file());
  }

  private synchronized String root() throws IOException {
    if (root == null) {
      String text = CommonFSUtils.getRootDir(snapshot.conf()).toString();
      // Only the root of a file system ends with a slash; two would begin an authority.
      root = text.endsWith(Path.SEPARATOR) ? text.substring(0, text.length() - 1) : text;
    }
    return root;
  }

  /** The status of a file; null when it does not exist. */
  private @Nullable FileStatus status(Path location) throws IOException {
    try {
      return snapshot.fileSystem().getFileStatus(location);
    } catch (FileNotFoundException e) {
      if (e.getClass() != FileNotFoundException.class) {
        throw e;
      }
      return null;
    } catch (RuntimeException e) {
      throw new IOException(location + ": the file system failed: " + e, e);
    }
  }

  /** Whether the root has tables; the target of ExportSnapshot has only an archive. */
  private synchronized boolean isLive() throws IOException {
    if (live == null) {
      Path tables = new Path(root() + Path.SEPARATOR + HConstants.BASE_NAMESPACE_DIR);
      try {
        live = status(tables) != null;
      } catch (AccessDeniedException | AccessControlException e) {
        // Without permission to list the directory its files cannot be read either.
        live = false;
      }
    }
    return live;
  }

  private void requireLength(StoreFile storeFile, FileStatus found) {
    if (storeFile.hasFileSize() && storeFile.getFileSize() != found.getLen()) {
      throw StorageException.badInput(
          ("snapshot '%s': HFile %s has %s bytes where the manifest says %s: truncated or"
                  + " overwritten; export it again")
              .formatted(snapshot.name(), found.getPath(), found.getLen(), storeFile.getFileSize()),
          null);
    }
  }
}
