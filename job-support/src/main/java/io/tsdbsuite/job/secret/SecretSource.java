package io.tsdbsuite.job.secret;

/** A store of secrets. */
public interface SecretSource {
  /** The word before the colon of a reference: lower-case letters and hyphens. */
  String scheme();

  /**
   * Reads a secret.
   *
   * @param name the text after the colon, without a JSON key
   * @return the secret's text
   * @throws SecretException when it cannot be read; the message must not have any of the secret
   */
  String read(String name) throws SecretException;
}
