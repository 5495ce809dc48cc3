package io.tsdbsuite.bulk.input;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/** Files of the file systems that Hadoop supports. */
final class HadoopFiles {
  private HadoopFiles() {}

  static void find(String argument, Configuration conf, InputFiles.FileSink found)
      throws IOException {
    try {
      Path path = new Path(argument);
      FileSystem fs = path.getFileSystem(conf);
      for (FileStatus status : matches(fs, path, found)) {
        add(fs, status, found);
      }
    } catch (FileNotFoundException e) {
      found.problem("no such file or directory");
    } catch (UnsupportedFileSystemException e) {
      found.problem(
          "must be of a file system that Hadoop knows, s3a, hdfs or file: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      found.problem("no URI of a file: " + e.getMessage());
    }
  }

  /** A file that was found before; the first access to its file system is its opening. */
  static InputFile again(String name, long size, long modifiedMillis, Configuration conf) {
    Path path = new Path(name);
    FileStatus status = new FileStatus(size, false, 1, 0, modifiedMillis, path);
    return new InputFile(
        name, size, modifiedMillis, offset -> open(path.getFileSystem(conf), status, offset));
  }

  private static List<FileStatus> matches(FileSystem fs, Path path, InputFiles.FileSink found)
      throws IOException {
    if (!InputFiles.isGlob(path.toUri().getPath())) {
      return List.of(fs.getFileStatus(path));
    }
    if (!InputFiles.isGlob(path.getParent().toUri().getPath())) {
      requireReadable(path.getParent(), found);
    }
    FileStatus[] matches = fs.globStatus(path, match -> isMeant(path, match));
    if (matches == null) {
      return List.of();
    }
    Arrays.sort(matches);
    return List.of(matches);
  }

  private static boolean isMeant(Path pattern, Path match) {
    Path asked = pattern;
    for (Path path = match; path != null && asked != null; path = path.getParent()) {
      if (InputFiles.isHidden(path.getName()) && !InputFiles.isHidden(asked.getName())) {
        return false;
      }
      asked = asked.getParent();
    }
    return true;
  }

  /** Hadoop leaves out what this machine lists and cannot open in the locale's encoding. */
  private static void requireReadable(Path directory, InputFiles.FileSink found) {
    String[] names =
        "file".equals(directory.toUri().getScheme())
            ? new File(directory.toUri().getPath()).list()
            : null;
    if (names == null) {
      return;
    }
    for (String name : names) {
      String problem = LocaleNames.problem(name);
      if (problem != null) {
        found.problem("the name " + problem);
      }
    }
  }

  private static void add(FileSystem fs, FileStatus status, InputFiles.FileSink found)
      throws IOException {
    String name = status.getPath().toString();
    if (name.indexOf(LocaleNames.UNREADABLE) >= 0 && !fs.exists(status.getPath())) {
      found.problem("the name '" + name + "' must be in UTF-8, found other bytes; rename the file");
      return;
    }
    if (status.isDirectory()) {
      requireReadable(status.getPath(), found);
      FileStatus[] children = fs.listStatus(status.getPath());
      Arrays.sort(children);
      for (FileStatus child : children) {
        if (InputFiles.isHidden(child.getPath().getName())) {
          found.hidden(child.getPath().toString());
        } else {
          add(fs, child, found);
        }
      }
    } else {
      found.file(
          key(fs, status.getPath()),
          new InputFile(
              status.getPath().toString(),
              status.getLen(),
              status.getModificationTime(),
              offset -> open(fs, status, offset)));
    }
  }

  /** A file on this machine has the key that its path would have. */
  private static String key(FileSystem fs, Path path) throws IOException {
    if ("file".equals(path.toUri().getScheme())) {
      return java.nio.file.Path.of(path.toUri().getPath()).toRealPath().toUri().toString();
    }
    return fs.makeQualified(path).toString();
  }

  /** Announces a whole read, so that S3A sends one request; the status saves another one. */
  private static InputStream open(FileSystem fs, FileStatus status, long offset)
      throws IOException {
    FSDataInputStream in;
    try {
      in =
          fs.openFile(status.getPath())
              .opt("fs.option.openfile.read.policy", "sequential")
              .withFileStatus(status)
              .build()
              .get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (offset > 0) {
      in.seek(offset);
    }
    return in;
  }
}
