package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/**
 * A broker with listeners for SASL/SCRAM over TLS, for MSK's IAM over TLS, for TLS, and for TLS
 * with required client certificates, and a plain-text listener for the test itself. A private
 * authority signs its certificate.
 */
public final class SecuredKafka implements AutoCloseable {
  /** SASL_SSL with SCRAM-SHA-512 only. */
  public static final String SCRAM = "SCRAM";

  /**
   * SASL_SSL with AWS_MSK_IAM only, as the brokers of Amazon MSK have it: requests must be signed
   * with the key {@link #IAM_KEY_ID} for the region {@link #IAM_REGION}. The signature itself is
   * not verified.
   */
  public static final String IAM = "IAM";

  /** AWS access key ID that {@link #IAM} accepts, with any secret. */
  public static final String IAM_KEY_ID = "AKIATESTKIT000000000";

  /** AWS region that {@link #IAM} accepts. */
  public static final String IAM_REGION = "eu-central-1";

  /** TLS without client certificate. */
  public static final String TLS = "TLS";

  /** TLS with a client certificate of {@link #certificates}. */
  public static final String MUTUAL_TLS = "MTLS";

  /** The name of a client certificate that the broker accepts. */
  public static final String CLIENT = "client";

  private static final String BROKER = "broker";
  private static final int ITERATIONS = 4096;
  private static final int LIMIT_SECONDS = 300;

  private final Certificates certificates;
  private final KafkaServer server;

  private SecuredKafka(Certificates certificates, KafkaServer server) {
    this.certificates = certificates;
    this.server = server;
  }

  /**
   * Starts the broker.
   *
   * @param dir all of its files
   * @return the running broker
   * @throws ServerException with the end of the log when it does not start
   */
  public static SecuredKafka start(Path dir) {
    try {
      Path secrets = Files.createDirectories(dir.toAbsolutePath().resolve("certificates"));
      Certificates certificates = new Certificates(secrets, "authority");
      certificates.issue(BROKER);
      certificates.issue(CLIENT);
      Path key = secrets.resolve("broker.pem");
      Files.writeString(
          key,
          certificates.privateKey(BROKER) + certificates.chain(BROKER),
          StandardCharsets.US_ASCII);
      Path trusted = secrets.resolve("authority.pem");
      Files.writeString(trusted, certificates.authority(), StandardCharsets.US_ASCII);
      Map<String, String> conf = new HashMap<>();
      conf.put(
          "listener.security.protocol.map",
          "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SCRAM:SASL_SSL,IAM:SASL_SSL,TLS:SSL,MTLS:SSL");
      conf.put("ssl.keystore.type", "PEM");
      conf.put("ssl.keystore.location", key.toString());
      conf.put("ssl.truststore.type", "PEM");
      conf.put("ssl.truststore.location", trusted.toString());
      conf.put("listener.name.mtls.ssl.client.auth", "required");
      conf.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
      conf.put(
          "listener.name.scram.scram-sha-512.sasl.jaas.config",
          "org.apache.kafka.common.security.scram.ScramLoginModule required;");
      conf.put("listener.name.iam.sasl.enabled.mechanisms", "AWS_MSK_IAM");
      conf.put(
          "listener.name.iam.aws_msk_iam.sasl.jaas.config",
          "io.tsdbsuite.testkit.server.MskIam required keyId=\"%s\" region=\"%s\";"
              .formatted(IAM_KEY_ID, IAM_REGION));
      return new SecuredKafka(
          certificates, KafkaServer.start(dir, conf, Set.of(SCRAM, IAM, TLS, MUTUAL_TLS)));
    } catch (IOException e) {
      throw new UncheckedIOException("no certificates in " + dir, e);
    }
  }

  /**
   * The broker; its bootstrap address is the plain-text listener.
   *
   * @return the server
   */
  public KafkaServer server() {
    return server;
  }

  /**
   * The address of a listener.
   *
   * @param listener {@link #SCRAM}, {@link #IAM}, {@link #TLS} or {@link #MUTUAL_TLS}
   * @return {@code 127.0.0.1:PORT}
   */
  public String bootstrapServers(String listener) {
    return server.bootstrapServers(listener);
  }

  /**
   * The authority of the broker and of {@link #CLIENT}.
   *
   * @return its certificates
   */
  public Certificates certificates() {
    return certificates;
  }

  /**
   * Creates a user of {@link #SCRAM}, or changes its password; open connections stay open.
   *
   * @param name the user
   * @param password the new password
   * @throws ServerException when the broker refuses
   */
  public void user(String name, String password) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
      ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS);
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion(name, info, password)))
          .all()
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new ServerException("user " + name + " was not created", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while user " + name + " was created", e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
