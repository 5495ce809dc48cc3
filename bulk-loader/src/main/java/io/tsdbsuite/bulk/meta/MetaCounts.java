package io.tsdbsuite.bulk.meta;

/**
 * What became of the metadata of series.
 *
 * @param series series in all
 * @param metaCreated {@code ts_meta} made, the others were there
 * @param countersCreated {@code ts_ctr} made, the others were there and are unchanged
 */
public record MetaCounts(long series, long metaCreated, long countersCreated) {
  MetaCounts plus(MetaCounts other) {
    return new MetaCounts(
        series + other.series,
        metaCreated + other.metaCreated,
        countersCreated + other.countersCreated);
  }
}
