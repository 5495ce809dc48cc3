package io.tsdbsuite.rollup.sink;

import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Classifies exceptions of Kafka clients as retryable or fatal. */
final class KafkaFailures {
  private KafkaFailures() {}

  /**
   * Returns the exception to throw.
   *
   * @param what the failed action, which begins the message
   */
  static SinkException sinkException(String what, Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = what + ": " + describe(cause);
    return isFatal(cause)
        ? new SinkException.Fatal(message, cause)
        : new SinkException.Retryable(message, cause);
  }

  private static boolean isFatal(Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return true; // Retriable for Kafka, because a new topic may still be propagating; fatal for
      // the job.
    }
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof ConfigException
          || t instanceof AuthenticationException
          || t instanceof AuthorizationException
          || t instanceof InvalidTopicException
          || t instanceof RecordTooLargeException
          || t instanceof UnsupportedVersionException) {
        return true;
      }
    }
    // A client that fails during startup, before a broker answers, has a wrong configuration.
    return cause instanceof KafkaException
        && !(cause instanceof ApiException)
        && String.valueOf(cause.getMessage()).startsWith("Failed to construct kafka");
  }

  /** Joins the messages of a failure and its causes, without duplicates. */
  private static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String message = t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
      if (message.endsWith(" in JAAS config")) {
        // Kafka's message quotes the token that it could not parse, which may be part of a
        // password.
        message = "sasl.jaas.config must be MODULE required name=\"value\" ...;";
      }
      if (!last.contains(message)) {
        text.append(text.length() == 0 ? "" : ": ").append(message);
        last = message;
      }
    }
    if (failure instanceof TimeoutException) {
      text.append(" (Kafka is down, not reachable, too slow, or wants another security.protocol)");
    } else if (failure instanceof RetriableException) {
      text.append(" (Kafka says that this may pass)");
    }
    return text.append(refused(failure)).toString();
  }

  /** Names the side that refused the other; empty for other failures. */
  private static String refused(Throwable failure) {
    String refused = "";
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof CertificateException) {
        return " (the job does not accept the brokers' certificate: its authority must be in"
            + " ssl.truststore.*, or among those of the JDK)";
      }
      if (t instanceof SslAuthenticationException) {
        refused =
            " (the brokers ended the handshake: do they want another client certificate,"
                + " ssl.keystore.*?)";
      } else if (t instanceof AuthenticationException) {
        refused = " (the brokers do not take the job's sasl.* properties)";
      }
    }
    return refused;
  }
}
