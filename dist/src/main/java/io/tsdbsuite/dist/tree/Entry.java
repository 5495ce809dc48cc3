package io.tsdbsuite.dist.tree;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file or a symbolic link of a {@link FileTree}. */
public sealed interface Entry {
  /** Permissions of a file that is no program. */
  int READABLE = 0644;

  /** Permissions of programs and directories. */
  int EXECUTABLE = 0755;

  /**
   * A symbolic link.
   *
   * @param target relative to the directory of the link, or absolute
   */
  record Link(String target) implements Entry {}

  /** A file. */
  sealed interface Content extends Entry {
    /** Permissions, such as {@link #READABLE}. */
    int mode();

    /** Length, bytes. */
    long size() throws IOException;

    /** The bytes, to be closed. */
    InputStream open() throws IOException;
  }

  /**
   * A file with the bytes of a file on this disk.
   *
   * @param source the file
   * @param mode permissions
   */
  record Copied(Path source, int mode) implements Content {
    @Override
    public long size() throws IOException {
      return Files.size(source);
    }

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(source);
    }
  }

  /**
   * A file that is made here.
   *
   * @param bytes the content; must not be changed
   * @param mode permissions
   */
  record Made(byte[] bytes, int mode) implements Content {
    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }
}
