package io.tsdbsuite.report.select;

import io.tsdbsuite.format.meta.TsuidLayout;

/** One tag that a series must have. */
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

  /** Which of its tags has this key, -1 for none. */
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
