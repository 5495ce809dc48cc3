package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The checked options of {@code rollup-job prune}.
 *
 * @param root URI of the root of the snapshots, with its scheme
 * @param tables tables whose snapshots make a night, at least one
 * @param names names of their snapshots
 * @param rule nights to keep
 * @param grace age below which nothing is deleted
 * @param delete false to plan only
 */
public record PruneOptions(
    String root,
    List<TableName> tables,
    SnapshotPattern names,
    KeepRule rule,
    Duration grace,
    boolean delete) {
  /** The date of a snapshot of one of the tables, from its name; null for other names. */
  @Nullable LocalDate date(String snapshot) {
    return tables.stream()
        .map(table -> names.date(table.getNameAsString(), snapshot))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(null);
  }
}
