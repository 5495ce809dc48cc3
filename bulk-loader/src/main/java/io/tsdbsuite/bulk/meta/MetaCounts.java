package io.tsdbsuite.bulk.meta;

/**
 * Counters of written metadata.
 *
 * @param series series in all
 * @param metaCreated {@code ts_meta} made, the others existed
 * @param countersCreated {@code ts_ctr} made, the others existed and are unchanged
 */
public record MetaCounts(long series, long metaCreated, long countersCreated) {
  MetaCounts plus(MetaCounts other) {
    return new MetaCounts(
        series + other.series,
        metaCreated + other.metaCreated,
        countersCreated + other.countersCreated);
  }
}
