package io.tsdbsuite.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * AWS's services, as moto emulates them, in a process of its own that ends with this JVM. The
 * system property {@code moto.version} has the version.
 *
 * @param endpoint of all services
 */
public record MotoServer(URI endpoint) {
  private static final Duration START = Duration.ofMinutes(5);

  /**
   * Starts a server.
   *
   * @param log receives its output
   * @throws IOException when it does not start
   */
  public static MotoServer start(Path log) throws IOException, InterruptedException {
    String version = System.getProperty("moto.version");
    PythonPackages packages =
        PythonPackages.install("moto-" + version, "moto[s3,stepfunctions,server]==" + version);
    int port = FreePorts.next();
    Process process =
        packages
            .python("-m", "moto.server", "-H", "127.0.0.1", "-p", Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Await.until(
        "moto on port " + port + ", see " + log,
        START,
        () -> {
          if (!process.isAlive()) {
            throw new IOException("moto ended with " + process.exitValue() + ", see " + log);
          }
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
          } catch (IOException e) {
            return false;
          }
        });
    return new MotoServer(URI.create("http://127.0.0.1:" + port));
  }
}
