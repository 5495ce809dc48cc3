package io.tsdbsuite.rollup.prune;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

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
    SnapshotNames names,
    KeepRule rule,
    Duration grace,
    boolean delete) {}
