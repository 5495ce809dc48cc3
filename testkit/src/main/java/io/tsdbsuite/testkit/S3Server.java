package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An S3 server (s3proxy) in its own JVM: every bucket is a directory, every object a file. Requests
 * must be signed.
 */
public final class S3Server extends ManagedServer {
  private static final Duration START = Duration.ofMinutes(5);

  private final Path dir;
  private final String name;
  private final Path buckets;
  private final boolean readOnly;
  private final int port = FreePorts.next();
  private @Nullable S3Server readOnlyView;

  private S3Server(Path dir, String name, Path buckets, boolean readOnly) {
    this.dir = dir.toAbsolutePath();
    this.name = name;
    this.buckets = buckets.toAbsolutePath();
    this.readOnly = readOnly;
  }

  /**
   * Starts a server.
   *
   * @param dir directory of all its files; existing buckets are served again
   * @return the running server
   * @throws ServerException with the end of the log when it does not start
   */
  public static S3Server start(Path dir) {
    S3Server server = new S3Server(dir, "s3", dir.resolve("buckets"), false);
    server.start();
    return server;
  }

  @Override
  ServerProcess launch() {
    try {
      Files.createDirectories(buckets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("dir", dir.toString());
    arguments.put("buckets", buckets.toString());
    arguments.put("port", Integer.toString(port));
    arguments.put("accessKey", accessKey());
    arguments.put("secretKey", secretKey());
    if (readOnly) {
      arguments.put("conf.s3proxy.read-only-blobstore", "true");
    }
    return ServerProcess.start(ServerKind.S3, name, dir, List.of(), arguments, START);
  }

  /**
   * A second server on the same buckets that rejects every write (501 Not Implemented) and has
   * different keys, to prove that a job only reads. The first call starts it; it ends with this
   * server.
   *
   * @return the read-only server
   * @throws ServerException with the end of the log when it does not start
   */
  public synchronized S3Server readOnlyView() {
    if (readOnlyView == null) {
      S3Server view = new S3Server(dir.resolve("read-only"), "s3-read-only", buckets, true);
      view.start();
      readOnlyView = view;
    }
    return readOnlyView;
  }

  /**
   * The endpoint for clients.
   *
   * @return {@code http://127.0.0.1:PORT}
   */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /**
   * The port.
   *
   * @return the port
   */
  public int port() {
    return port;
  }

  /**
   * The access key.
   *
   * @return different for the read-only server
   */
  public String accessKey() {
    return readOnly ? "reader" : "writer";
  }

  /**
   * The secret key.
   *
   * @return different for the read-only server
   */
  public String secretKey() {
    return accessKey() + "-secret";
  }

  /**
   * Creates a bucket.
   *
   * @param bucket its name
   */
  public void createBucket(String bucket) {
    try {
      Files.createDirectories(directory(bucket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A bucket's directory: objects are its files, by their keys.
   *
   * @param bucket the bucket
   * @return the directory
   */
  public Path directory(String bucket) {
    return buckets.resolve(bucket);
  }

  /**
   * The properties of Hadoop's S3A for this server, with few retries, so that failures appear soon.
   *
   * @return keys {@code fs.s3a.*}
   */
  public Map<String, String> s3aProperties() {
    Map<String, String> s3a = new LinkedHashMap<>();
    s3a.put("fs.s3a.endpoint", endpoint().toString());
    s3a.put("fs.s3a.endpoint.region", "us-east-1");
    s3a.put("fs.s3a.path.style.access", "true");
    s3a.put("fs.s3a.connection.ssl.enabled", "false");
    s3a.put(
        "fs.s3a.aws.credentials.provider", "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider");
    s3a.put("fs.s3a.access.key", accessKey());
    s3a.put("fs.s3a.secret.key", secretKey());
    s3a.put("fs.s3a.attempts.maximum", "2");
    s3a.put("fs.s3a.retry.limit", "2");
    s3a.put("fs.s3a.retry.interval", "100ms");
    return s3a;
  }

  @Override
  void beforeEnd() {
    if (readOnlyView != null) {
      readOnlyView.stop();
      readOnlyView = null;
    }
  }
}
