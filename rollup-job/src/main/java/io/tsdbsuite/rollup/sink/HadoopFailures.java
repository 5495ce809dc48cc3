package io.tsdbsuite.rollup.sink;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;

/** Classifies exceptions of Hadoop file systems as retryable or fatal. */
public final class HadoopFailures {
  private HadoopFailures() {}

  /**
   * Returns the exception to throw.
   *
   * @param what the failed action, which begins the message
   */
  public static SinkException sinkException(String what, IOException cause) {
    String message = what + ": " + cause.getMessage();
    boolean fatal =
        cause instanceof AccessControlException
            || cause instanceof AccessDeniedException
            || cause instanceof FileAlreadyExistsException
            || cause instanceof ParentNotDirectoryException
            || cause instanceof UnsupportedFileSystemException
            // S3A's exception for a missing bucket; the class may be absent from the class path.
            || cause.getClass().getSimpleName().equals("UnknownStoreException");
    return fatal
        ? new SinkException.Fatal(message, cause)
        : new SinkException.Retryable(message, cause);
  }
}
