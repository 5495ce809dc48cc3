package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.Kdc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a TSD needs for an HBase with Kerberos. */
final class TsdKerberos {
  private static final String LOGIN = "Client";

  private TsdKerberos() {}

  /** Keys of opentsdb.conf, which asynchbase reads. */
  static Map<String, String> conf() {
    return Map.of(
        "hbase.security.auth.enable", "true",
        "hbase.security.authentication", "kerberos",
        "hbase.kerberos.regionserver.principal", "hbase/_HOST@" + Kdc.REALM,
        "hbase.rpc.protection", "authentication",
        "hbase.sasl.clientconfig", LOGIN);
  }

  /** Flags of the TSD's JVM: krb5.conf, and a login by the keytab of {@code tsd}. */
  static List<String> jvmFlags(Kdc kdc, Path directory) throws IOException {
    Path jaas = Files.createDirectories(directory).resolve("jaas.conf");
    Files.writeString(
        jaas,
        """
        %s {
          com.sun.security.auth.module.Krb5LoginModule required
          useKeyTab=true
          keyTab="%s"
          principal="tsd@%s"
          storeKey=true
          useTicketCache=false;
        };
        """
            .formatted(LOGIN, kdc.keytab("tsd"), Kdc.REALM));
    List<String> flags = new ArrayList<>(kdc.jvmFlags());
    flags.add("-Djava.security.auth.login.config=" + jaas);
    // ZooKeeper's client would use the same login; this ZooKeeper has no Kerberos.
    flags.add("-Dzookeeper.sasl.client=false");
    return flags;
  }
}
