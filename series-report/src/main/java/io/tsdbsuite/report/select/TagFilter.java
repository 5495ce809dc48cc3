package io.tsdbsuite.report.select;

import io.tsdbsuite.format.meta.TsuidLayout;

/** Selects series by one tag: a key and a filter of its value. */
final class TagFilter {
  private final TsuidLayout layout;
  private final long tagk;
  private final UidFilter values;

  TagFilter(TsuidLayout layout, long tagk, UidFilter values) {
    this.layout = layout;
    this.tagk = tagk;
    this.values = values;
  }

  UidFilter values() {
    return values;
  }

  void met(byte[] tsuid) {
    int tag = tag(layout, tsuid, tagk);
    if (tag >= 0) {
      values.met(layout.tagv(tsuid, tag));
    }
  }

  boolean wants(byte[] tsuid) {
    int tag = tag(layout, tsuid, tagk);
    return tag >= 0 && values.wants(layout.tagv(tsuid, tag));
  }

  /** Index of the tag with this key, -1 if there is none. */
  static int tag(TsuidLayout layout, byte[] tsuid, long tagk) {
    int tags = layout.tags(tsuid);
    for (int i = 0; i < tags; i++) {
      if (layout.tagk(tsuid, i) == tagk) {
        return i;
      }
    }
    return -1;
  }
}
