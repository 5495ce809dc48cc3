package io.tsdbsuite.report.model;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * The reasons of failures with local files, without names of classes. Needs no Hadoop, which is not
 * on the class path of reports from the running HBase.
 */
public final class FileFailures {
  private FileFailures() {}

  /** The reason, the end of a message that names the file. */
  public static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "there is no such file or directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission is denied";
    }
    String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return reason == null ? failure.getClass().getSimpleName() : reason;
  }
}
