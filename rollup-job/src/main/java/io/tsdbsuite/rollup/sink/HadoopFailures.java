package io.tsdbsuite.rollup.sink;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;

/** Sorts what a Hadoop file system throws into what may be done next. */
public final class HadoopFailures {
  private HadoopFailures() {}

  /**
   * The exception to throw.
   *
   * @param what what could not be done, the beginning of the message
   */
  public static SinkException sinkException(String what, IOException cause) {
    String message = what + ": " + cause.getMessage();
    boolean fatal =
        cause instanceof AccessControlException
            || cause instanceof AccessDeniedException
            || cause instanceof FileAlreadyExistsException
            || cause instanceof ParentNotDirectoryException
            || cause instanceof UnsupportedFileSystemException
            // S3A's word for a bucket that does not exist; the class may not be there.
            || cause.getClass().getSimpleName().equals("UnknownStoreException");
    return fatal
        ? new SinkException.Fatal(message, cause)
        : new SinkException.Retryable(message, cause);
  }
}
