package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All names of a UID table in packed arrays, to be broadcast once per executor.
 *
 * <p>The UIDs of a kind are divided into segments of consecutive UIDs: {@link UidSegment}.
 *
 * <p>Immutable; may be used by many threads.
 */
public final class UidDictionary implements UidNames {
  private static final long serialVersionUID = 1L;

  private final KindNames metrics;
  private final KindNames tagks;
  private final KindNames tagvs;

  private UidDictionary(KindNames metrics, KindNames tagks, KindNames tagvs) {
    this.metrics = metrics;
    this.tagks = tagks;
    this.tagvs = tagvs;
  }

  private KindNames names(UidKind kind) {
    return switch (kind) {
      case METRIC -> metrics;
      case TAGK -> tagks;
      case TAGV -> tagvs;
    };
  }

  @Override
  public boolean lookup(UidKind kind, long uid, ByteSlice out) {
    return names(kind).lookup(uid, out);
  }

  @Override
  public @Nullable String foreignName(UidKind kind, long uid) {
    return names(kind).foreignName(uid);
  }

  /**
   * Returns the same names, some of them marked as foreign.
   *
   * @param foreign gives the UIDs of a kind whose name maps to another UID, in any order
   */
  UidDictionary withForeign(Function<UidKind, long[]> foreign) {
    return new UidDictionary(
        metrics.withForeign(foreign.apply(UidKind.METRIC)),
        tagks.withForeign(foreign.apply(UidKind.TAGK)),
        tagvs.withForeign(foreign.apply(UidKind.TAGV)));
  }

  /** Returns the index of a UID's name within its kind, from 0; negative if it has none. */
  long index(UidKind kind, long uid) {
    return names(kind).index(uid);
  }

  /** Number of names of a kind. */
  public long size(UidKind kind) {
    return names(kind).size();
  }

  /** Heap size of all names in bytes, except for some object headers. */
  public long bytes() {
    long bytes = 0;
    for (UidKind kind : UidKind.values()) {
      bytes += names(kind).bytes();
    }
    return bytes;
  }

  /** Passes every UID of a kind with its name to the consumer, in unsigned order of the UIDs. */
  public void forEach(UidKind kind, UidConsumer consumer) {
    names(kind).forEach(consumer);
  }

  /**
   * Fills a dictionary from rows of the UID table.
   *
   * <p>The UIDs of a kind must be added in unsigned ascending order, as in a scan; kinds may be
   * mixed. A UID that is not above the previous one is an error, because it means that regions were
   * read in the wrong order or twice. For one thread.
   */
  public static final class Builder {
    private final KindNames.Builder metrics;
    private final KindNames.Builder tagks;
    private final KindNames.Builder tagvs;

    /**
     * Creates an empty builder.
     *
     * @param metricWidth width of metric UIDs in bytes, 1 to 8, as the schema says
     * @param tagkWidth width of tag key UIDs
     * @param tagvWidth width of tag value UIDs
     * @throws IllegalArgumentException if a width is not 1 to 8
     */
    public Builder(int metricWidth, int tagkWidth, int tagvWidth) {
      metrics = new KindNames.Builder(UidKind.METRIC, metricWidth);
      tagks = new KindNames.Builder(UidKind.TAGK, tagkWidth);
      tagvs = new KindNames.Builder(UidKind.TAGV, tagvWidth);
    }

    /**
     * Adds one UID; copies from both arrays.
     *
     * @param name ISO-8859-1
     * @throws UidWidthException if the width of the UID differs from the schema
     * @throws IllegalArgumentException if the UID is not above the previous one
     */
    public Builder add(
        UidKind kind,
        byte[] uid,
        int uidOffset,
        int uidLength,
        byte[] name,
        int nameOffset,
        int nameLength) {
      KindNames.Builder names =
          switch (kind) {
            case METRIC -> metrics;
            case TAGK -> tagks;
            case TAGV -> tagvs;
          };
      names.add(uid, uidOffset, uidLength, name, nameOffset, nameLength);
      return this;
    }

    /** Returns the dictionary; the builder must not be used afterwards. */
    public UidDictionary build() {
      return new UidDictionary(metrics.build(), tagks.build(), tagvs.build());
    }
  }
}
