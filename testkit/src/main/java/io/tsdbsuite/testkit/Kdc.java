package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A Kerberos KDC in its own JVM, with principals whose keys are in keytabs. Principals and keys are
 * lost when it stops.
 */
public final class Kdc extends ManagedServer {
  /** Its realm. */
  public static final String REALM = "EXAMPLE.COM";

  private static final Duration START = Duration.ofMinutes(5);

  /** Before the end of a ticket in what TicketCache prints. */
  private static final String END = "END=";

  private final Path dir;
  private final Map<String, List<String>> keytabs;
  private final int port = FreePorts.next();

  private Kdc(Path dir, Map<String, List<String>> keytabs) {
    this.dir = dir.toAbsolutePath();
    this.keytabs = new LinkedHashMap<>(keytabs);
  }

  /**
   * Starts a KDC.
   *
   * @param dir all of its files
   * @param ticketLifetime of the tickets that clients with {@link #krb5Conf()} ask for
   * @param keytabs principals, without realm, by the name of the keytab
   * @return the running server
   * @throws ServerException with the end of the log when it does not start
   */
  public static Kdc start(Path dir, Duration ticketLifetime, Map<String, List<String>> keytabs) {
    Kdc kdc = new Kdc(dir, keytabs);
    kdc.writeConf(ticketLifetime);
    kdc.start();
    return kdc;
  }

  private void writeConf(Duration ticketLifetime) {
    String conf =
        """
        [libdefaults]
          default_realm = %1$s
          dns_lookup_kdc = false
          dns_lookup_realm = false
          dns_canonicalize_hostname = false
          rdns = false
          udp_preference_limit = 1
          ticket_lifetime = %2$ds
        [realms]
          %1$s = {
            kdc = localhost:%3$d
          }
        [domain_realm]
          localhost = %1$s
        """
            .formatted(REALM, ticketLifetime.toSeconds(), port);
    try {
      Files.createDirectories(dir);
      Files.writeString(krb5Conf(), conf);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  ServerProcess launch() {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("dir", dir.resolve("kdc").toString());
    arguments.put("port", Integer.toString(port));
    keytabs.forEach(
        (name, principals) ->
            arguments.put("keytab." + keytab(name), String.join(",", principals)));
    return ServerProcess.start(
        ServerKind.KDC.with(jvmFlags()), "kdc", dir, List.of(), arguments, START);
  }

  /**
   * The configuration of clients.
   *
   * @return krb5.conf
   */
  public Path krb5Conf() {
    return dir.resolve("krb5.conf");
  }

  /**
   * What a JVM needs to know the KDC.
   *
   * @return flags
   */
  public List<String> jvmFlags() {
    return List.of("-Djava.security.krb5.conf=" + krb5Conf());
  }

  /**
   * The file with the keys of principals.
   *
   * @param name its name as passed to {@link #start}
   * @return the keytab
   */
  public Path keytab(String name) {
    return dir.resolve(name + ".keytab");
  }

  /**
   * Does what {@code kinit -k -t} does: stores a ticket of a principal in a ticket cache (variable
   * {@code KRB5CCNAME} of a client).
   *
   * @param principal without realm
   * @param keytab name of the keytab
   * @param cache the file to write
   * @throws ServerException when the KDC refuses
   */
  public void kinit(String principal, String keytab, Path cache) {
    kinit(principal, keytab, cache, List.of());
  }

  /**
   * The same with a lifetime of its own, {@code kinit -l}.
   *
   * @param principal without realm
   * @param keytab name of the keytab
   * @param cache the file to write
   * @param lifetime of the ticket, whole seconds
   * @return the end of the ticket
   * @throws ServerException when the KDC refuses
   */
  public Instant kinit(String principal, String keytab, Path cache, Duration lifetime) {
    return kinit(principal, keytab, cache, List.of(Long.toString(lifetime.toSeconds())));
  }

  private Instant kinit(String principal, String keytab, Path cache, List<String> more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "io.tsdbsuite.testkit.server.TicketCache",
                dir.toString(),
                principal + "@" + REALM,
                keytab(keytab).toString(),
                cache.toString()));
    command.addAll(more);
    ToolRun run = ServerProcess.run(ServerKind.KDC.with(jvmFlags()), dir, command, START);
    List<String> end = run.lines(END);
    if (run.exitCode() != 0 || end.size() != 1) {
      throw new ServerException("no ticket for " + principal + ":\n" + run.output());
    }
    String millis = end.get(0).substring(END.length());
    return Instant.ofEpochMilli(Long.parseLong(millis));
  }
}
