package io.tsdbsuite.rollup.prune;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The markers that export-snapshots.sh writes: {@code _EXPORTED/2026-11-21.json} with the names of
 * a night's snapshots.
 */
final class Markers {
  private static final List<String> FIELDS = List.of("dataSnapshot", "uidSnapshot");
  private static final Pattern NAME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}\\.json");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final BackupRoot root;
  private final PruneOptions options;
  private final BackupRoot.Unknown unknown;
  private final Set<String> listed = new HashSet<>();

  /**
   * @param unknown receives files that are no markers
   */
  Markers(BackupRoot root, PruneOptions options, BackupRoot.Unknown unknown) {
    this.root = root;
    this.options = options;
    this.unknown = unknown;
  }

  /** Lists the markers, and finds files that do not have the name of one. */
  void list() throws IOException {
    for (FileStatus entry : root.list(root.markers())) {
      if (entry.isFile() && NAME.matcher(entry.getPath().getName()).matches()) {
        listed.add(entry.getPath().getName());
      } else {
        unknown.add(root.relative(entry));
      }
    }
  }

  /**
   * Whether the export of a snapshot had ended when the markers were listed. False if the marker
   * cannot be understood.
   */
  boolean hasNamed(LocalDate night, String snapshot) throws IOException {
    Path path = path(night);
    if (!listed.contains(path.getName())) {
      return false;
    }
    try {
      return names(path).contains(snapshot);
    } catch (FileNotFoundException | JacksonException e) {
      return false;
    }
  }

  private Path path(LocalDate night) {
    return new Path(root.markers(), night + ".json");
  }

  /**
   * The names of snapshots in a marker; none if it names none.
   *
   * @throws JacksonException when it is not JSON
   */
  private Set<String> names(Path path) throws IOException {
    Set<String> names = new HashSet<>();
    try (InputStream in = root.files().open(path)) {
      JsonNode marker = MAPPER.readTree(in);
      for (String field : FIELDS) {
        if (marker.path(field).isTextual()) {
          names.add(marker.path(field).asText());
        }
      }
    }
    return names;
  }

  /** The marker of a night that is deleted; null if there is none, or it names other snapshots. */
  @Nullable Path of(LocalDate night) throws IOException {
    Path path = path(night);
    try {
      Set<String> names = names(path);
      if (names.isEmpty()) {
        unknown.add(root.relative(path));
      }
      return options.snapshots(night).stream().anyMatch(names::contains) ? path : null;
    } catch (FileNotFoundException e) {
      return null;
    } catch (JacksonException e) {
      unknown.add(root.relative(path));
      return null;
    }
  }
}
