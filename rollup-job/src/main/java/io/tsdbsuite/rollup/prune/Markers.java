package io.tsdbsuite.rollup.prune;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
  private final Unknown unknown;

  /**
   * @param unknown receives files that are no markers
   */
  Markers(BackupRoot root, PruneOptions options, Unknown unknown) {
    this.root = root;
    this.options = options;
    this.unknown = unknown;
  }

  /** Finds files that do not have the name of a marker. */
  void check() throws IOException {
    for (FileStatus entry : root.list(root.markers())) {
      if (!entry.isFile() || !NAME.matcher(entry.getPath().getName()).matches()) {
        unknown.add(root.relative(entry));
      }
    }
  }

  /** The marker of a night that is deleted; null if there is none, or it names other snapshots. */
  @Nullable Path of(LocalDate night) throws IOException {
    Path path = new Path(root.markers(), night + ".json");
    Set<String> names =
        options.tables().stream()
            .map(table -> options.names().name(table, night))
            .collect(Collectors.toSet());
    try (InputStream in = root.files().open(path)) {
      JsonNode marker = MAPPER.readTree(in);
      if (FIELDS.stream().noneMatch(field -> marker.path(field).isTextual())) {
        unknown.add(root.relative(path));
        return null;
      }
      return FIELDS.stream().anyMatch(field -> names.contains(marker.path(field).asText()))
          ? path
          : null;
    } catch (FileNotFoundException e) {
      return null;
    } catch (JacksonException e) {
      unknown.add(root.relative(path));
      return null;
    }
  }
}
