package io.tsdbsuite.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager;
import org.ietf.jgss.GSSException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the words of Hadoop 3.4 and HBase 2.6. */
class AccessFailuresTest {
  private static final String USER = System.getProperty("user.name");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GSS initiate failed [Caused by GSSException: No valid credentials provided (Mechanism"
            + " level: Failed to find any Kerberos tgt)]",
        "Client cannot authenticate via:[TOKEN, KERBEROS]",
        "GSS initiate failed [Caused by GSSException: No valid credentials provided (Mechanism"
            + " level: Ticket expired (32) - PROCESS_TGS)]",
        "Found no valid authentication method from options"
      })
  void aTicketIsMissing(String text) {
    Exception failure = new IOException("DestHost:destPort nn:8020", new IOException(text));
    assertThat(AccessFailures.reason(failure)).contains("principal " + USER, "run kinit", text);
    assertThat(StorageFailures.of("snapshot 's'", failure))
        .hasMessageContaining("snapshot 's' may not be read with these credentials: principal")
        .extracting(StorageException::kind)
        .isEqualTo(StorageException.Kind.CONFIGURATION);
  }

  @Test
  void theCacheTellsWhetherThereWasATicket(@TempDir Path dir) throws IOException {
    Path cache = dir.resolve("krb5cc");
    Map<String, String> environment = Map.of("KRB5CCNAME", "FILE:" + cache);
    assertThat(AccessFailures.ticket(environment)).contains("there is no " + cache);
    Files.createFile(cache);
    assertThat(AccessFailures.ticket(environment)).contains("in " + cache + " that has expired");
    assertThat(AccessFailures.ticket(Map.of())).contains("has no valid Kerberos ticket (klist");
  }

  @Test
  void aRightIsMissing() {
    assertThat(
            AccessFailures.reason(
                new AccessControlException(
                    "Permission denied: user=guest, access=EXECUTE, inode=\"/hbase\"\n\tat x")))
        .isEqualTo(
            "principal "
                + USER
                + " lacks a right, grant it: Permission denied: user=guest, access=EXECUTE,"
                + " inode=\"/hbase\"");
    assertThat(
            AccessFailures.reason(
                new IOException(
                    new AccessDeniedException("Insufficient permissions (user=guest@R)"))))
        .endsWith("lacks a right, grant it: Insufficient permissions (user=guest@R)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token (token for tsdb: HDFS_DELEGATION_TOKEN owner=tsdb) is expired",
        "token (token for tsdb: HDFS_DELEGATION_TOKEN owner=tsdb) can't be found in cache",
        "Token  has expired, current time: 2026-11-23 17:27:53,490+0000 expected renewal time:"
            + " 2026-11-23 17:27:46,510+0000",
        "Failed after attempts=2, exceptions:\n2026-11-23T17:26:04.535Z, RpcRetryingCaller,"
            + " java.io.IOException: Call to address=localhost:46105 failed on local exception:"
            + " org.apache.hadoop.ipc.RemoteException("
            + "org.apache.hadoop.security.token.SecretManager$InvalidToken): Token has expired\n"
            + "2026-11-23T17:26:04.635Z, This server is in the failed servers list",
      })
  void aTokenHasExpired(String text) {
    assertThat(AccessFailures.reason(new IOException("no names", new IOException(text))))
        .contains("a delegation token has expired", "--principal and --keytab")
        .containsAnyOf("expired", "cache")
        .doesNotContain("Failed after", "\n");
    assertThat(AccessFailures.reason(new SecretManager.InvalidToken("no words of its own")))
        .contains("a delegation token has expired", "no words of its own");
  }

  @Test
  void theClientKnowsNothingOfKerberos() {
    assertThat(
            AccessFailures.reason(
                new AccessControlException(
                    "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]")))
        .contains("the cluster demands Kerberos, and this client has no settings of it");
  }

  @Test
  void theClientProtectsConnectionsInAnotherWay() {
    assertThat(
            AccessFailures.reason(
                new IOException(
                    new SaslException("No common protection layer between client and server"))))
        .contains("hbase.rpc.protection and hadoop.rpc.protection must be the cluster's");
  }

  @Test
  void otherFailuresAreNoneOfItsOwn() {
    assertThat(AccessFailures.reason(new FileNotFoundException("/x (Permission denied)"))).isNull();
    assertThat(AccessFailures.reason(new IOException("Connection refused"))).isNull();
    assertThat(AccessFailures.reason(new java.nio.file.AccessDeniedException("s3a://b: 403")))
        .isNull();
    for (String passing :
        List.of(
            "The provided token has expired. (Service: S3, Status Code: 400, Request ID: 1)",
            "The security token included in the request is expired (Service: Sts, Status Code:"
                + " 403)",
            "Token has expired and refresh failed (Service: Sso, Status Code: 401)",
            "Block token with block_token_identifier (expiryDate=1, keyId=2) is expired.",
            "GSS initiate failed: Cannot contact any KDC for realm",
            "No valid credentials provided (Mechanism level: Receive timed out)")) {
      assertThat(AccessFailures.reason(new IOException(passing))).as(passing).isNull();
    }
  }

  /** The exceptions around that of Kerberos say only that there are no credentials. */
  @Test
  void aKdcThatDoesNotAnswerIsNoMissingTicket() {
    for (String away : List.of("Connection refused", "Receive timed out")) {
      GSSException kerberos = new GSSException(GSSException.NO_CRED, -1, away);
      IOException failure = new IOException(new SaslException("GSS initiate failed", kerberos));
      assertThat(AccessFailures.reason(failure)).as(away).isNull();
    }
    GSSException none =
        new GSSException(GSSException.NO_CRED, -1, "Failed to find any Kerberos tgt");
    assertThat(
            AccessFailures.reason(
                new IOException(
                    "after a Connection refused", new SaslException("GSS initiate failed", none))))
        .contains("run kinit");
  }
}
