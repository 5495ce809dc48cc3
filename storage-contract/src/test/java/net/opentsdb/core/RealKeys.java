package net.opentsdb.core;

import java.lang.reflect.Field;

/**
 * Sets OpenTSDB's widths, which are static there. Closing it restores the defaults for the next
 * test in this JVM.
 */
public final class RealKeys implements AutoCloseable {
  /** Sets the widths. */
  public RealKeys(int saltWidth, int saltBuckets, int metric, int tagk, int tagv) {
    set(saltWidth, saltBuckets, metric, tagk, tagv);
  }

  private static void set(int saltWidth, int saltBuckets, int metric, int tagk, int tagv) {
    Const.setSaltWidth(saltWidth);
    Const.setSaltBuckets(saltBuckets);
    width("METRICS_WIDTH", metric);
    width("TAG_NAME_WIDTH", tagk);
    width("TAG_VALUE_WIDTH", tagv);
  }

  private static void width(String name, int width) {
    try {
      Field field = TSDB.class.getDeclaredField(name);
      field.setAccessible(true);
      field.setShort(null, (short) width);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("not the OpenTSDB that this was written for", e);
    }
  }

  @Override
  public void close() {
    set(0, 20, 3, 3, 3);
  }
}
