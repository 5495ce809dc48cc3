package io.tsdbsuite.rollup.tiers.apply;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.tiers.apply.MarkerManifest.MarkerFile;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the markers of one proof, and how far their load is.
 *
 * <pre>
 *   DIR/1-SHA256/TABLE/t/v1_SHA256-REGION-0000   markers of the rows of a region of the snapshot
 *   DIR/1-SHA256/_packed.json                    of the table with packed rows, if there is one
 *   DIR/1-SHA256/tiers-apply.json                written when all are complete
 *   DIR/1-SHA256/_floor                          which floor was raised, and what it was before
 *   DIR/1-SHA256/raw-DATE-HASH.json              the proof: a later one may replace it elsewhere
 *   DIR/1-SHA256/idle-DATE-HASH.series           the series of a proof of idle series
 *   DIR/1-SHA256/_loading, _loaded               the load has begun, ended
 *   DIR/1-SHA256/_undoing                        an undo has begun
 *   DIR/1-SHA256/_undone                         an undo has brought the rows back; then alone
 *   DIR/undo-SHA256/TABLE/t/...                  cells that undo brings back
 * </pre>
 */
final class MarkerDir {
  static final String MANIFEST = "tiers-apply.json";
  private static final String PACKED = "_packed.json";
  private static final String FLOOR = "_floor";
  private static final String UNDOING = "_undoing";
  private static final String UNDONE = "_undone";

  /** Others are of runs. */
  private static final Pattern NAME = Pattern.compile(RunDir.FORMAT + "-([0-9a-f]{64})");

  /** Digits of the hash in the names of files. */
  private static final int DIGITS = 16;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

  private final Configuration conf;
  private final FileSystem files;
  private final Path dir;
  private final String proof;

  /**
   * @param dir of all proofs
   * @param proof SHA-256
   * @throws IOException when the file system cannot be reached
   */
  MarkerDir(Configuration conf, String dir, String proof) throws IOException {
    this.conf = conf;
    Path path = RunDir.of(dir, proof);
    this.files = path.getFileSystem(conf);
    this.dir = files.makeQualified(path);
    this.proof = proof;
  }

  /**
   * The directories of all proofs.
   *
   * @param dir of all proofs
   * @throws JobException usage, when the directory does not exist
   * @throws IOException when the file system cannot be reached
   */
  static List<MarkerDir> all(Configuration conf, String dir) throws IOException {
    Path path = new Path(dir);
    FileSystem files = path.getFileSystem(conf);
    if (!files.exists(path)) {
      throw JobException.usage("--hfile-dir must be that of applies, found no directory " + dir);
    }
    List<MarkerDir> all = new ArrayList<>();
    for (FileStatus each : files.listStatus(path)) {
      Matcher name = NAME.matcher(each.getPath().getName());
      if (name.matches()) {
        all.add(new MarkerDir(conf, dir, name.group(1)));
      }
    }
    return all;
  }

  /** The same; none if the directory does not exist. */
  static List<MarkerDir> existing(Configuration conf, String dir) throws IOException {
    Path path = new Path(dir);
    return path.getFileSystem(conf).exists(path) ? all(conf, dir) : List.of();
  }

  /**
   * The copy of the proof; null before the markers are complete, and when an undo has removed it.
   *
   * @throws JobException bad input, when it was changed
   */
  @Nullable Proof storedProof() throws IOException {
    for (FileStatus each : files.listStatus(dir)) {
      String name = each.getPath().getName();
      if (name.endsWith(".json") && !name.startsWith("_") && !name.equals(MANIFEST)) {
        Proof found = store().read(name);
        if (found.sha256().equals(proof)) {
          return found;
        }
      }
    }
    return null;
  }

  /** Whether it is of a proof of idle series, and not undone. */
  boolean isIdle() throws IOException {
    for (FileStatus each : files.listStatus(dir)) {
      if (each.getPath().getName().endsWith(".series")) {
        return true;
      }
    }
    return false;
  }

  /** Has the copy of the proof, and of its idle series. */
  ProofStore store() {
    return new ProofStore(dir.toString(), conf);
  }

  /** The directory of the cells that undo brings back. */
  Path undoDir() {
    return new Path(dir.getParent(), "undo-" + proof);
  }

  /** Whether it is there. */
  boolean exists() throws IOException {
    return files.exists(dir);
  }

  /** The HFiles; the caller closes it. */
  HFileDir hfiles(String table) throws IOException {
    return new HFileDir(
        conf,
        RunDir.table(dir, table).toString(),
        RowKey.FAMILY,
        RunDir.prefix(proof.substring(0, DIGITS)));
  }

  /**
   * The manifest; null while the files are not complete, and after an undo.
   *
   * @throws JobException bad input, when it is not one of this proof
   */
  @Nullable MarkerManifest manifest() throws IOException {
    return manifest(MANIFEST);
  }

  /** The same of the table with packed rows; null if there was none. */
  @Nullable MarkerManifest packed() throws IOException {
    return manifest(PACKED);
  }

  private @Nullable MarkerManifest manifest(String name) throws IOException {
    byte[] json = isUndone() ? null : read(name);
    if (json == null) {
      return null;
    }
    String what = "manifest " + new Path(dir, name) + " ";
    MarkerManifest manifest;
    try {
      manifest = MAPPER.readValue(json, MarkerManifest.class);
    } catch (IOException e) {
      throw JobException.badInput(what + "must be one of tiers apply: " + e.getMessage(), e);
    }
    if (manifest.format() != MarkerManifest.FORMAT || !manifest.proof().equals(proof)) {
      throw JobException.badInput(
          what
              + "must be of format %s and proof %s, found %s and %s"
                  .formatted(MarkerManifest.FORMAT, proof, manifest.format(), manifest.proof()));
    }
    return manifest;
  }

  /** Removes what an earlier apply has begun to write. */
  void clear() throws IOException {
    files.delete(dir, true);
  }

  /** Whether the rows are back: an apply of the proof begins anew. */
  boolean isUndone() throws IOException {
    return files.exists(new Path(dir, UNDONE));
  }

  /** Whether some rows may be back, until all are. */
  boolean isUndoing() throws IOException {
    return files.exists(new Path(dir, UNDOING));
  }

  /** Says that rows begin to come back. */
  void undoing() throws IOException {
    mark(UNDOING, "");
  }

  /** Says that the rows are back. */
  void undone() throws IOException {
    mark(UNDONE, "");
  }

  /** Removes all but the mark that the rows are back. */
  void empty() throws IOException {
    undone();
    for (FileStatus each : files.listStatus(dir)) {
      if (!each.getPath().getName().equals(UNDONE)) {
        files.delete(each.getPath(), true);
      }
    }
  }

  /**
   * Writes the proof and the manifest.
   *
   * @param series of a proof of idle series
   */
  void complete(Proof of, @Nullable IdleSeries series, MarkerManifest manifest) throws IOException {
    if (series != null) {
      Proof.Series unused = store().write(series, of.to(), of.policy().metrics());
    }
    store().write(of);
    replace(MANIFEST, manifest);
  }

  /** Writes the manifest of the table with packed rows, before {@link #complete}. */
  void packed(MarkerManifest manifest) throws IOException {
    replace(PACKED, manifest);
  }

  /** The floor that an apply has raised, or was about to; null if there is none. */
  @Nullable RaisedFloor raisedFloor() throws IOException {
    byte[] json = read(FLOOR);
    return json == null ? null : MAPPER.readValue(json, RaisedFloor.class);
  }

  /** Says which floor will be raised. */
  void raisedFloor(RaisedFloor floor) throws IOException {
    replace(FLOOR, floor);
  }

  private void replace(String name, Object json) throws IOException {
    RunDir.replace(
        files, dir, name, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json));
  }

  /** Creates a marker file; a no-op if it exists. */
  void mark(String name, String text) throws IOException {
    RunDir.mark(files, dir, name, text.getBytes(StandardCharsets.UTF_8));
  }

  boolean isLoaded() throws IOException {
    return files.exists(new Path(dir, RunDir.LOADED));
  }

  /** The cluster into which the load has begun; null if it has not, and after an undo. */
  @Nullable String loadingInto() throws IOException {
    byte[] cluster = isUndone() ? null : read(RunDir.LOADING);
    return cluster == null || cluster.length == 0
        ? null
        : new String(cluster, StandardCharsets.UTF_8);
  }

  private byte @Nullable [] read(String name) throws IOException {
    try (InputStream in = files.open(new Path(dir, name))) {
      return in.readAllBytes();
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private Path file(MarkerManifest of, MarkerFile file) {
    return new Path(new Path(RunDir.table(dir, of.table()), RowKey.FAMILY), file.name());
  }

  /** The names of the files that HBase has not taken. */
  List<String> waiting(MarkerManifest manifest) throws IOException {
    List<String> names = new ArrayList<>();
    for (MarkerFile file : manifest.files()) {
      if (files.exists(file(manifest, file))) {
        names.add(file.name());
      }
    }
    return names;
  }

  /**
   * Returns the damage of the files, one sentence each.
   *
   * @param loading whether HBase may have taken some
   */
  List<String> damage(MarkerManifest manifest, boolean loading) throws IOException {
    List<String> damage = new ArrayList<>();
    for (MarkerFile file : manifest.files()) {
      Path path = file(manifest, file);
      if (!files.exists(path)) {
        if (!loading) {
          damage.add("file " + path + " of the manifest must be there, found none");
        }
        continue;
      }
      long length = files.getFileStatus(path).getLen();
      long crc = RunDir.crc32c(files, path);
      if (length != file.bytes() || crc != file.crc32c()) {
        damage.add(
            "file %s must have %s bytes and the CRC-32C %x, found %s and %x"
                .formatted(path, file.bytes(), file.crc32c(), length, crc));
      }
    }
    return damage;
  }

  @Override
  public String toString() {
    return dir.toString();
  }
}
