package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
  private static final Duration LONGEST_WRITING = Duration.ofDays(1);

  /** The date of a snapshot of one of the tables, from its name; null for other names. */
  @Nullable LocalDate date(String snapshot) {
    return tables.stream()
        .map(table -> names.date(table.getNameAsString(), snapshot))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(null);
  }

  /** The names that the snapshots of a night have, one for each table. */
  Set<String> snapshots(LocalDate night) {
    return tables.stream()
        .map(table -> names.name(table.getNameAsString(), night))
        .collect(Collectors.toSet());
  }

  /** The times that a run compares with, if it starts at {@code now}. */
  Times times(Instant now) {
    Duration writing = grace.compareTo(LONGEST_WRITING) < 0 ? grace : LONGEST_WRITING;
    return new Times(
        now.minus(grace).toEpochMilli(),
        now.minus(writing).toEpochMilli(),
        LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(1));
  }

  /**
   * The times that a run compares with.
   *
   * @param limit time after which a file is young, ms since the epoch
   * @param recent time after which an export may have written a file and still run, ms since the
   *     epoch; not before {@code limit}
   * @param lastNight newest date that a night can have: tomorrow in UTC, because the name of a
   *     snapshot has the date of any time zone
   */
  record Times(long limit, long recent, LocalDate lastNight) {
    /** Whether the grace time protects what was changed at a time, ms since the epoch. */
    boolean isYoung(long modified) {
      return modified > limit;
    }
  }
}
