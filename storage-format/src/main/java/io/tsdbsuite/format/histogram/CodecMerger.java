package io.tsdbsuite.format.histogram;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Merges histograms of any codec by its own class, a subclass of OpenTSDB's {@code
 * HistogramDataPointCodec}: by reflection, because only TSDs, and jobs with the jars, have it.
 */
final class CodecMerger implements HistogramMerger {
  private static final String BASE = "net.opentsdb.core.HistogramDataPointCodec";

  private final Object codec;
  private final Method decode;
  private final Method encode;
  private final Method aggregate;
  private final Object sum;

  /** The merged bytes; null if nothing was added. */
  private byte @Nullable [] merged;

  private CodecMerger(Class<?> type, Class<?> base) throws ReflectiveOperationException {
    codec = type.getConstructor().newInstance();
    decode = base.getMethod("decode", byte[].class, boolean.class);
    Class<?> histogram = decode.getReturnType();
    encode = base.getMethod("encode", histogram, boolean.class);
    Class<?> aggregation =
        Class.forName("net.opentsdb.core.HistogramAggregation", true, base.getClassLoader());
    aggregate = histogram.getMethod("aggregate", histogram, aggregation);
    sum = aggregation.getField("SUM").get(null);
  }

  /** A merger of a codec; null if its class cannot be loaded or made, or is no codec. */
  static @Nullable HistogramMerger of(String codec) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    try {
      Class<?> type =
          Class.forName(
              codec, true, context == null ? CodecMerger.class.getClassLoader() : context);
      Class<?> base = type;
      while (base != null && !base.getName().equals(BASE)) {
        base = base.getSuperclass();
      }
      return base == null ? null : new CodecMerger(type, base);
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  @Override
  public void clear() {
    merged = null;
  }

  @Override
  public void add(byte[] bytes, int off, int len) {
    Object added = call(decode, codec, Arrays.copyOfRange(bytes, off, off + len), false);
    if (merged != null) {
      // Decoded anew: a merge that fails half-way changes nothing.
      Object whole = call(decode, codec, merged, false);
      call(aggregate, whole, added, sum);
      added = whole;
    }
    merged = (byte[]) call(encode, codec, added, false);
  }

  private Object call(Method method, Object target, Object... arguments) {
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error && !isOfBytes((Error) cause)) {
        throw (Error) cause;
      }
      throw refused(String.valueOf(cause), cause);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    if (result == null && !method.equals(aggregate)) {
      throw refused("null", null);
    }
    return result;
  }

  /**
   * Whether the error comes again whenever the bytes are read: they nest too deep, name a class
   * that is not there, or a length for which the memory is too small although much of it is free.
   */
  private static boolean isOfBytes(Error error) {
    if (error instanceof OutOfMemoryError) {
      Runtime jvm = Runtime.getRuntime();
      long free = jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory();
      return "Requested array size exceeds VM limit".equals(error.getMessage())
          || ("Java heap space".equals(error.getMessage()) && free > jvm.maxMemory() / 8);
    }
    return error instanceof StackOverflowError || error instanceof LinkageError;
  }

  private IllegalArgumentException refused(String found, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        codec.getClass().getName() + " must read and merge it, found " + found, cause);
  }

  @Override
  public boolean isTooWide() {
    return false;
  }

  @Override
  public long memory() {
    return merged == null ? 0 : merged.length;
  }

  @Override
  public byte[] bytes() {
    if (merged == null) {
      throw new IllegalStateException("no histogram was added");
    }
    return merged.clone();
  }
}
