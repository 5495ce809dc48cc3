package io.tsdbsuite.testkit.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;

/**
 * A Kerberos KDC of the realm EXAMPLE.COM.
 *
 * <p>Arguments: {@code dir} (its files), {@code port}, and for each keytab {@code keytab.FILE} with
 * the principals in it, without realm, separated by commas.
 */
public final class KdcLauncher {
  private KdcLauncher() {}

  /**
   * Starts the KDC.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, KdcLauncher::start);
  }

  private static AutoCloseable start(Map<String, String> arguments, Map<String, String> ready)
      throws Exception {
    Path dir = Files.createDirectories(Path.of(Launcher.required(arguments, "dir")));
    Properties conf = MiniKdc.createConf();
    conf.setProperty(MiniKdc.KDC_PORT, Launcher.required(arguments, "port"));
    conf.setProperty(MiniKdc.KDC_BIND_ADDRESS, "localhost");
    MiniKdc kdc = new MiniKdc(conf, dir.toFile());
    kdc.start();
    for (Map.Entry<String, String> keytab : Launcher.withPrefix(arguments, "keytab.").entrySet()) {
      kdc.createPrincipal(new File(keytab.getKey()), keytab.getValue().split(",", -1));
    }
    ready.put("realm", kdc.getRealm());
    return kdc::stop;
  }
}
