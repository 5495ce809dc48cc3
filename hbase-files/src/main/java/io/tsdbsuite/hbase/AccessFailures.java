package io.tsdbsuite.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.jspecify.annotations.Nullable;

/**
 * Failures of HDFS, YARN and HBase because of Kerberos or missing rights. A retry cannot help: the
 * user must get a ticket, or the principal a right.
 */
public final class AccessFailures {
  /** What servers and clients say when there are no credentials that they accept. */
  private static final String[] WITHOUT_TICKET = {
    "Failed to find any Kerberos tgt",
    "No valid credentials provided",
    "Client cannot authenticate via",
    "Found no valid authentication method",
    "GSS initiate failed",
    "Ticket expired",
    "can be issued only with kerberos",
    "Can't get Master Kerberos principal",
  };

  /** What a secured server says to a client that does not know of Kerberos. */
  private static final String[] WITHOUT_KERBEROS = {
    "SIMPLE authentication is not enabled",
    "Authentication is required",
    "Kerberos principal name does NOT have the expected hostname part",
    "No matching SASL authentication protocol found",
  };

  /** What SASL says when the cluster does not offer the client's protection of connections. */
  private static final String OTHER_PROTECTION = "No common protection layer";

  /**
   * A dead delegation token. HDFS: {@code token (...) is expired}, {@code Token ... has expired,
   * current time: ...}, and when it has been removed {@code can't be found in cache}; HBase: {@code
   * Token has expired}. Not a block token of HDFS, which its client asks for again, and not the
   * tokens of AWS, which are renewed elsewhere.
   */
  private static final Pattern DEAD_TOKEN =
      Pattern.compile(
          "(?<!Block )[Tt]oken \\(.*(is expired|can't be found in cache)"
              + "|\\bToken (.* )?(has expired|can't be found in cache)");

  /** Words of exceptions of the AWS SDK. */
  private static final String AWS = "(Service:";

  /** A KDC that does not answer, which may pass; exceptions around it have other words. */
  private static final String[] NO_KDC = {
    "Cannot contact any KDC",
    "Mechanism level: Receive timed out",
    "Mechanism level: Connection refused",
  };

  private AccessFailures() {}

  /**
   * The end of a message: who lacks what, and what to do.
   *
   * @param failure also one of another machine, whose exceptions are texts only
   * @return null if it fails for another reason
   */
  public static @Nullable String reason(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (contains(String.valueOf(t.getMessage()), NO_KDC)) {
        return null;
      }
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String text = String.valueOf(t.getMessage());
      String reason = reason(t, text);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  /**
   * What this process lacks before it asks a secured cluster: HBase's client would try again for a
   * minute.
   *
   * @return null if it has a ticket, a login by keytab or delegation tokens, or needs none
   */
  public static @Nullable String missingTicket() {
    try {
      return !UserGroupInformation.isSecurityEnabled()
              || UserGroupInformation.getCurrentUser().hasKerberosCredentials()
              || !UserGroupInformation.getCurrentUser().getTokens().isEmpty()
          ? null
          : "principal " + principal() + " " + ticket();
    } catch (IOException e) {
      return "the login to Kerberos failed: " + e.getMessage();
    }
  }

  private static @Nullable String reason(Throwable failure, String text) {
    if ((failure instanceof AccessControlException && text.startsWith("Permission denied"))
        || failure instanceof AccessDeniedException
        || text.contains("hbase.security.AccessDeniedException")
        || text.contains("hadoop.security.AccessControlException: Permission denied")) {
      return "principal " + principal() + " lacks a right, grant it: " + firstLine(text);
    }
    // The message of a client that has tried several times has a line for each time.
    String dead =
        text.lines()
            .filter(line -> !line.contains(AWS))
            .filter(DEAD_TOKEN.asPredicate())
            .findFirst()
            .orElse(null);
    if (failure instanceof SecretManager.InvalidToken || dead != null) {
      return "a delegation token has expired, and Spark renews tokens only with --principal and"
          + " --keytab: "
          + firstLine(dead == null ? text : dead);
    }
    if (contains(text, WITHOUT_KERBEROS)) {
      return ("the cluster demands Kerberos, and this client has %s: HADOOP_CONF_DIR must have"
              + " the cluster's core-site.xml, hdfs-site.xml and hbase-site.xml; found: %s")
          .formatted(
              UserGroupInformation.isSecurityEnabled()
                  ? "other settings of it"
                  : "no settings of it",
              firstLine(text));
    }
    if (text.contains(OTHER_PROTECTION)) {
      return "the cluster protects connections in another way than this client:"
          + " hbase.rpc.protection and hadoop.rpc.protection must be the cluster's, HADOOP_CONF_DIR"
          + " must have its core-site.xml and hbase-site.xml; found: "
          + firstLine(text);
    }
    if (contains(text, WITHOUT_TICKET)) {
      return "principal " + principal() + " " + ticket() + ": " + firstLine(text);
    }
    return null;
  }

  private static boolean contains(String text, String[] some) {
    for (String one : some) {
      if (text.contains(one)) {
        return true;
      }
    }
    return false;
  }

  /** A remote exception's message has its class and its stack trace. */
  private static String firstLine(String text) {
    return text.lines()
        .findFirst()
        .orElse(text)
        .replaceFirst("^([\\w.$]+Exception: )+", "")
        .strip();
  }

  /** The principal of this process, or the user of the operating system if it has none. */
  private static String principal() {
    try {
      return UserGroupInformation.getCurrentUser().getUserName();
    } catch (IOException e) {
      return System.getProperty("user.name", "?");
    }
  }

  private static String ticket() {
    try {
      if (UserGroupInformation.getLoginUser().isFromKeytab()) {
        return "is not accepted by the server or by the KDC";
      }
    } catch (IOException e) {
      // Without a login there is no keytab.
    }
    return ticket(System.getenv());
  }

  /** Whether there never was a ticket, or it is of no use any more. */
  static String ticket(Map<String, String> environment) {
    String cache = environment.getOrDefault("KRB5CCNAME", "");
    String file = cache.startsWith("FILE:") ? cache.substring("FILE:".length()) : cache;
    String todo = "run kinit, or give --principal and --keytab to spark-submit";
    if (file.isEmpty()) {
      return "has no valid Kerberos ticket (klist shows it), " + todo;
    }
    return Files.exists(Path.of(file))
        ? "has a Kerberos ticket in " + file + " that has expired or is of no use, " + todo
        : "has no Kerberos ticket, there is no " + file + ", " + todo;
  }
}
