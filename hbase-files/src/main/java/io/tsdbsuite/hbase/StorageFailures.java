package io.tsdbsuite.hbase;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** Classifies the exceptions of file systems by whether a retry may help. */
public final class StorageFailures {
  private StorageFailures() {}

  /**
   * The exception to throw.
   *
   * @param what the file or snapshot that was read, the beginning of the message
   */
  public static StorageException of(String what, Exception failure) {
    String access = AccessFailures.reason(failure);
    if (access != null) {
      return StorageException.configuration(
          what + " may not be read with these credentials: " + access, failure);
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String text = String.valueOf(t.getMessage());
      // S3A's exception for a bucket that does not exist; its class may not be on the class path.
      if (t.getClass().getSimpleName().equals("UnknownStoreException")
          || text.contains("NoSuchBucket")) {
        return StorageException.configuration(what + ": the bucket does not exist", failure);
      }
      if (t instanceof AccessControlException || t instanceof AccessDeniedException) {
        return StorageException.configuration(
            what + " may not be read with these credentials: " + reason(failure), failure);
      }
      if (t instanceof UnsupportedFileSystemException) {
        return StorageException.configuration(what + ": " + text, failure);
      }
      if (t instanceof ChecksumException || t instanceof InvalidProtocolBufferException) {
        return StorageException.badInput(what + " is corrupt: " + text, failure);
      }
    }
    return StorageException.unavailable(what + " could not be read: " + reason(failure), failure);
  }

  /** The exception's own message, which names the file, with the {@link #reason}. */
  public static String describe(Exception failure) {
    String what = String.valueOf(failure.getMessage());
    String why = reason(failure);
    return what.contains(why) ? what : what + ": " + why;
  }

  /**
   * The message of the innermost cause, because outer exceptions repeat it with class names; or the
   * message of the exception around it if that contains more and no class name.
   */
  public static String reason(Throwable failure) {
    Throwable around = failure;
    Throwable inner = failure;
    while (inner.getCause() != null && inner.getCause() != inner) {
      around = inner;
      inner = inner.getCause();
    }
    if (inner instanceof FileSystemException file
        && file.getReason() == null
        && file.getFile() != null
        && !file.getFile().contains(": ")) {
      // The message is only the name of the file.
      return file.getFile()
          + (file instanceof NoSuchFileException
              ? " does not exist"
              : " may not be opened or changed");
    }
    String why = inner.getMessage();
    if (why == null) {
      return inner.getClass().getSimpleName();
    }
    String more = around.getMessage();
    return more != null && more.contains(why) && !more.contains("Exception") ? more : why;
  }
}
