package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.Claim;
import org.jspecify.annotations.Nullable;

/** The write of one series; immutable. */
final class SeriesWrite {
  /** When to create a TSMeta. */
  enum TsMeta {
    NEVER,
    IF_CREATED,
    ALWAYS
  }

  final byte[] tsuid;
  final long points;
  final boolean writesCounter;

  /** Whether the series may be absent from the meta table. */
  final boolean maybeNew;

  final boolean counted;
  final TsMeta tsMeta;

  private SeriesWrite(
      byte[] tsuid,
      long points,
      boolean writesCounter,
      boolean maybeNew,
      boolean counted,
      TsMeta tsMeta) {
    this.tsuid = tsuid;
    this.points = points;
    this.writesCounter = writesCounter;
    this.maybeNew = maybeNew;
    this.counted = counted;
    this.tsMeta = tsMeta;
  }

  /** A series of the cache. */
  static SeriesWrite of(Claim claim, boolean counting, boolean createTsMeta) {
    return new SeriesWrite(
        claim.tsuid(),
        claim.points(),
        !counting || claim.points() > 0,
        !claim.known(),
        claim.counted(),
        createTsMeta && !claim.known() ? TsMeta.ALWAYS : TsMeta.NEVER);
  }

  /**
   * A series that has left the cache. Unless it is new, it got its TSMeta with an earlier write, or
   * gets it with its next point: no lookup for each write.
   */
  static SeriesWrite of(OwedSeries owed, boolean createTsMeta) {
    TsMeta wanted = owed.tsMeta() ? TsMeta.ALWAYS : TsMeta.IF_CREATED;
    return new SeriesWrite(
        owed.tsuid(),
        owed.points(),
        owed.counter(),
        true,
        false,
        createTsMeta ? wanted : TsMeta.NEVER);
  }

  boolean wantsTsMeta(@Nullable CounterState state) {
    return tsMeta == TsMeta.ALWAYS
        || (tsMeta == TsMeta.IF_CREATED && state == CounterState.CREATED);
  }
}
