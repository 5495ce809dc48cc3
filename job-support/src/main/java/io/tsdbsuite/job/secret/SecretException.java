package io.tsdbsuite.job.secret;

/**
 * A reference to a secret cannot be resolved. The message names the reference and never a secret,
 * and there is no cause, whose message could.
 */
public final class SecretException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Whether another try may succeed. */
  private final boolean outside;

  private SecretException(String message, boolean outside) {
    super(message);
    this.outside = outside;
  }

  /** The configuration must be changed: a wrong reference, an absent secret, no permission. */
  public static SecretException configuration(String message) {
    return new SecretException(message, false);
  }

  /** The store does not answer; another try may succeed. */
  public static SecretException outside(String message) {
    return new SecretException(message, true);
  }

  /** Whether another try may succeed without a change of the configuration. */
  public boolean isOutside() {
    return outside;
  }

  /** The same, of a setting. */
  SecretException of(String setting) {
    return new SecretException(setting + ": " + getMessage(), outside);
  }
}
