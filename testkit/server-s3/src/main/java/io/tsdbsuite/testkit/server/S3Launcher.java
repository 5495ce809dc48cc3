package io.tsdbsuite.testkit.server;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.gaul.s3proxy.Main;

/**
 * Runs s3proxy on a directory: every bucket is a subdirectory, every object a file.
 *
 * <p>Arguments: {@code dir} (its own files), {@code buckets} (the directory served), {@code port},
 * {@code accessKey}, {@code secretKey}, {@code conf.*} (further properties of s3proxy).
 */
public final class S3Launcher {
  private S3Launcher() {}

  /**
   * Starts the server.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, S3Launcher::start);
  }

  private static AutoCloseable start(Map<String, String> arguments, Map<String, String> ready)
      throws Exception {
    Path dir = Path.of(Launcher.required(arguments, "dir"));
    String port = Launcher.required(arguments, "port");
    Properties properties = new Properties();
    properties.put("s3proxy.endpoint", "http://127.0.0.1:" + port);
    properties.put("s3proxy.authorization", "aws-v2-or-v4");
    properties.put("s3proxy.identity", Launcher.required(arguments, "accessKey"));
    properties.put("s3proxy.credential", Launcher.required(arguments, "secretKey"));
    properties.put("jclouds.provider", "filesystem-nio2");
    properties.put("jclouds.identity", "unused");
    properties.put("jclouds.credential", "unused");
    properties.put("jclouds.filesystem.basedir", Launcher.required(arguments, "buckets"));
    properties.putAll(Launcher.withPrefix(arguments, "conf."));
    Path file = dir.resolve("s3proxy.properties");
    Files.createDirectories(dir);
    try (OutputStream out = Files.newOutputStream(file)) {
      properties.store(out, "written by the testkit");
    }
    Main.main(new String[] {"--properties", file.toString()});
    ready.put("port", port);
    // No stop needed before the JVM ends: every acknowledged write is on disk.
    return () -> {};
  }
}
