package io.tsdbsuite.job.spark;

import io.tsdbsuite.job.JobException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;

/**
 * Small objects as bytes, to tasks and from them: by Java's serialization, since Kryo cannot make
 * records.
 */
public final class JavaBytes {
  private JavaBytes() {}

  /** Writes an object. */
  public static byte[] of(Serializable object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new IllegalStateException("the object must be serializable", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads an object.
   *
   * @throws JobException outside, when the bytes make no sense
   */
  public static <T> T read(byte[] bytes, Class<T> type) {
    try (ObjectInputStream in = new Input(new ByteArrayInputStream(bytes), type)) {
      return type.cast(in.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw JobException.outside("bytes to or from a task cannot be read: " + e, e);
    }
  }

  /** Finds classes where the type comes from: spark-submit has a class loader of its own. */
  private static final class Input extends ObjectInputStream {
    private final ClassLoader loader;

    Input(InputStream in, Class<?> type) throws IOException {
      super(in);
      this.loader = type.getClassLoader();
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
