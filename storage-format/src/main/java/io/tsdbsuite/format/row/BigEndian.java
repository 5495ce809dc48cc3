package io.tsdbsuite.format.row;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteOrder;

/**
 * Reads big-endian numbers at any offset of an array. Since Java 9 the JDK has a {@code VarHandle}
 * for that, which takes one load instead of one for each byte. Code for Java 8 finds it by
 * reflection only; as the handles are constants, compiled code has no call left.
 */
final class BigEndian {
  private static final MethodHandle CHAR = reader(char.class, char[].class, "plainChar");
  private static final MethodHandle INT = reader(int.class, int[].class, "plainInt");
  private static final MethodHandle LONG = reader(long.class, long[].class, "plainLong");

  private BigEndian() {}

  private static MethodHandle reader(Class<?> number, Class<?> array, String plain) {
    try {
      try {
        Class<?> mode = Class.forName("java.lang.invoke.VarHandle$AccessMode");
        Object handle =
            MethodHandles.class
                .getMethod("byteArrayViewVarHandle", Class.class, ByteOrder.class)
                .invoke(null, array, ByteOrder.BIG_ENDIAN);
        return (MethodHandle)
            Class.forName("java.lang.invoke.VarHandle")
                .getMethod("toMethodHandle", mode)
                .invoke(handle, mode.getField("GET").get(null));
      } catch (ClassNotFoundException java8) {
        return MethodHandles.lookup()
            .findStatic(
                BigEndian.class, plain, MethodType.methodType(number, byte[].class, int.class));
      }
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Reads 2 bytes, 0..65535. */
  static int readChar(byte[] bytes, int off) {
    try {
      return (char) CHAR.invokeExact(bytes, off);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static int readInt(byte[] bytes, int off) {
    try {
      return (int) INT.invokeExact(bytes, off);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static long readLong(byte[] bytes, int off) {
    try {
      return (long) LONG.invokeExact(bytes, off);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** {@link MethodHandle#invokeExact} declares more than these handles throw. */
  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error) {
      throw (Error) e;
    }
    return (RuntimeException) e;
  }

  static char plainChar(byte[] v, int off) {
    return (char) (v[off] << 8 | (v[off + 1] & 0xff));
  }

  static int plainInt(byte[] v, int off) {
    return v[off] << 24
        | (v[off + 1] & 0xff) << 16
        | (v[off + 2] & 0xff) << 8
        | (v[off + 3] & 0xff);
  }

  static long plainLong(byte[] v, int off) {
    return (long) plainInt(v, off) << 32 | (plainInt(v, off + 4) & 0xffffffffL);
  }
}
