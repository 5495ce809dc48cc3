package io.tsdbsuite.rollup.pack;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts with which the rows of a region are as in the plain table: what a task hands to the
 * look after the load ({@link PackLook}).
 *
 * <pre>
 *   list  | row | ... | 0 2 |
 *   row   | length 2 | key | parts 2 | length 1 | qualifier | ... |
 * </pre>
 *
 * <p>Rows ascend by key. Without the end the list is incomplete.
 */
final class PartList {
  private PartList() {}

  /** Writes a list. Not thread-safe. */
  static final class Writer implements Closeable {
    private final DataOutputStream out;

    Writer(OutputStream out) {
      this.out = new DataOutputStream(new BufferedOutputStream(out));
    }

    /** Appends a row; none without parts. */
    void row(byte[] key, List<byte[]> qualifiers) throws IOException {
      if (qualifiers.isEmpty()) {
        return;
      }
      out.writeShort(key.length);
      out.write(key);
      out.writeShort(qualifiers.size());
      for (byte[] qualifier : qualifiers) {
        out.writeByte(qualifier.length);
        out.write(qualifier);
      }
    }

    /** Ends the list. */
    void end() throws IOException {
      out.writeShort(0);
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  /** Reads a list. Not thread-safe. */
  static final class Reader implements Closeable {
    private final DataInputStream in;
    private byte[] key = {};
    private List<byte[]> qualifiers = List.of();

    Reader(InputStream in) {
      this.in = new DataInputStream(new BufferedInputStream(in));
    }

    /**
     * Reads the next row.
     *
     * @return false at the end
     * @throws IOException when storage fails, or the list is incomplete
     */
    boolean next() throws IOException {
      int length = in.readUnsignedShort();
      if (length == 0) {
        return false;
      }
      key = read(length);
      int parts = in.readUnsignedShort();
      qualifiers = new ArrayList<>(parts);
      for (int i = 0; i < parts; i++) {
        qualifiers.add(read(in.readUnsignedByte()));
      }
      return true;
    }

    private byte[] read(int length) throws IOException {
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      return bytes;
    }

    byte[] key() {
      return key;
    }

    List<byte[]> qualifiers() {
      return qualifiers;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
