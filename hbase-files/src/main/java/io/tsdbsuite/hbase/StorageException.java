package io.tsdbsuite.hbase;

import org.jspecify.annotations.Nullable;

/**
 * A snapshot or its files cannot be read. The message names the file or setting, the rule and the
 * value found; {@link #kind()} decides about a retry.
 */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** The cause, which decides about a retry. */
  public enum Kind {
    /** A wrong name, setting or permission; a retry cannot help. */
    CONFIGURATION,
    /** A file is missing, truncated or corrupt. */
    BAD_INPUT,
    /** Storage did not answer; a retry may help. */
    UNAVAILABLE
  }

  private StorageException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** A wrong name, setting or permission. */
  public static StorageException configuration(String problem) {
    return configuration(problem, null);
  }

  /** A wrong name, setting or permission, reported by an exception. */
  public static StorageException configuration(String problem, @Nullable Throwable cause) {
    return new StorageException(Kind.CONFIGURATION, problem, cause);
  }

  /**
   * The files are missing, truncated or corrupt.
   *
   * @param cause null when no exception reported it
   */
  public static StorageException badInput(String problem, @Nullable Throwable cause) {
    return new StorageException(Kind.BAD_INPUT, problem, cause);
  }

  /** The file system failed. */
  public static StorageException unavailable(String problem, Throwable cause) {
    return new StorageException(Kind.UNAVAILABLE, problem, cause);
  }

  /** One or more sentences, never null. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** The cause, which decides about a retry. */
  public Kind kind() {
    return kind;
  }
}
