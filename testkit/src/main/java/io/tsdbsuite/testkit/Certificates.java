package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Keys and certificates of a private certificate authority, created by the JDK's keytool. */
public final class Certificates {
  private static final char[] PASSWORD = "only for tests".toCharArray();
  private static final String DAYS = "2";
  private static final int PEM_LINE = 64;

  private final Path keyStore;
  private final String authority;

  /**
   * Creates an authority.
   *
   * @param dir an existing directory, for its keystore
   * @param authority the authority's name
   * @throws ServerException with keytool's output when that fails
   */
  public Certificates(Path dir, String authority) {
    this.keyStore = dir.toAbsolutePath().resolve(authority + ".p12");
    this.authority = authority;
    generate(authority, "-ext", "bc:critical=ca:true");
  }

  /**
   * Creates a key with a certificate of the authority for 127.0.0.1 and localhost.
   *
   * @param name its name
   * @throws ServerException with keytool's output when that fails
   */
  public void issue(String name) {
    generate(name, "-signer", authority, "-ext", "san=ip:127.0.0.1,dns:localhost");
  }

  private void generate(String name, String... more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", DAYS));
    command.addAll(List.of("-keystore", keyStore.toString(), "-storepass", new String(PASSWORD)));
    command.addAll(Arrays.asList(more));
    try {
      Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new ServerException("keytool failed for " + name + ": " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("keytool could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while keytool ran", e);
    }
  }

  /**
   * The authority's own certificate, for truststores.
   *
   * @return PEM
   */
  public String authority() {
    return chain(authority);
  }

  /**
   * A certificate chain: a certificate and the authority's certificate.
   *
   * @param name the name passed to {@link #issue}
   * @return PEM
   */
  public String chain(String name) {
    try {
      StringBuilder chain = new StringBuilder();
      for (Certificate certificate : load().getCertificateChain(name)) {
        chain.append(pem("CERTIFICATE", certificate.getEncoded()));
      }
      return chain.toString();
    } catch (GeneralSecurityException e) {
      throw new ServerException("no certificate of " + name, e);
    }
  }

  /**
   * A private key, PKCS #8, not encrypted.
   *
   * @param name the name passed to {@link #issue}
   * @return PEM
   */
  public String privateKey(String name) {
    try {
      return pem("PRIVATE KEY", load().getKey(name, PASSWORD).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new ServerException("no key of " + name, e);
    }
  }

  /**
   * A truststore with only this authority, for {@code -Djavax.net.ssl.trustStore} instead of the
   * JDK's own authorities.
   *
   * @return the file
   */
  public Path trustStore() {
    Path file = keyStore.resolveSibling(authority + ".jks");
    try (OutputStream out = Files.newOutputStream(file)) {
      // A truststore that needs no password for reading.
      KeyStore trusted = KeyStore.getInstance("JKS");
      trusted.load(null, null);
      trusted.setCertificateEntry(authority, load().getCertificate(authority));
      trusted.store(out, PASSWORD);
      return file;
    } catch (GeneralSecurityException e) {
      throw new ServerException("no certificate of " + authority, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KeyStore load() throws GeneralSecurityException {
    try (InputStream in = Files.newInputStream(keyStore)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD);
      return keys;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String pem(String label, byte[] der) {
    byte[] lineEnd = {'\n'};
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder(PEM_LINE, lineEnd).encodeToString(der), label);
  }
}
