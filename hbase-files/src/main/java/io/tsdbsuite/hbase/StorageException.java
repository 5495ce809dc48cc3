package io.tsdbsuite.hbase;

/**
 * A snapshot or its files cannot be read. The message names the thing, the rule and the value
 * found; {@link #kind()} says what the caller may do next.
 */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** The cause, which decides about a retry. */
  public enum Kind {
    /** A name, a setting or a permission; a repetition cannot help. */
    CONFIGURATION,
    /** The files: missing, truncated or corrupt. */
    BAD_INPUT,
    /** Storage, which did not answer; a repetition may help. */
    UNAVAILABLE
  }

  private StorageException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** A name, a setting or a permission is wrong. */
  public static StorageException configuration(String problem) {
    return configuration(problem, null);
  }

  /** A name, a setting or a permission is wrong, found by an exception. */
  public static StorageException configuration(String problem, Throwable cause) {
    return new StorageException(Kind.CONFIGURATION, problem, cause);
  }

  /**
   * The files cannot be read as they are.
   *
   * @param cause null when no exception found it
   */
  public static StorageException badInput(String problem, Throwable cause) {
    return new StorageException(Kind.BAD_INPUT, problem, cause);
  }

  /** The file system failed. */
  public static StorageException unavailable(String problem, Throwable cause) {
    return new StorageException(Kind.UNAVAILABLE, problem, cause);
  }

  /** The cause, which decides about a retry. */
  public Kind kind() {
    return kind;
  }
}
