package io.tsdbsuite.hbase;

import java.nio.file.AccessDeniedException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** Sorts what file systems throw while a snapshot is read into what may be done next. */
public final class StorageFailures {
  private StorageFailures() {}

  /**
   * The exception to throw.
   *
   * @param what what was being read, the beginning of the message
   */
  public static StorageException of(String what, Exception failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String text = String.valueOf(t.getMessage());
      // S3A's word for a bucket that does not exist; the class may not be there.
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

  /** What failed, which names the file, and why, which only the innermost cause may know. */
  public static String describe(Exception failure) {
    String what = String.valueOf(failure.getMessage());
    String why = reason(failure);
    return what.contains(why) ? what : what + ": " + why;
  }

  /**
   * Why, in the words of the innermost cause, which the layers above repeat with their class names;
   * of the one around it where that says more. One line, no class names.
   */
  public static String reason(Throwable failure) {
    Throwable around = failure;
    Throwable inner = failure;
    while (inner.getCause() != null && inner.getCause() != inner) {
      around = inner;
      inner = inner.getCause();
    }
    if (inner.getMessage() == null) {
      return inner.getClass().getSimpleName();
    }
    boolean more =
        around.getMessage() != null
            && around.getMessage().contains(inner.getMessage())
            && !around.getMessage().contains("Exception");
    return more ? around.getMessage() : inner.getMessage();
  }
}
