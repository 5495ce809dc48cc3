package io.tsdbsuite.testkit.server;

import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.security.Security;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.spi.LoginModule;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import javax.security.sasl.SaslServerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The brokers' side of SASL mechanism AWS_MSK_IAM, as far as a client sees it: it reads the signed
 * request, and answers as MSK does. It does not verify the signature.
 *
 * <p>The broker names this class in sasl.jaas.config, with the options {@code keyId} and {@code
 * region}.
 */
public final class MskIam implements LoginModule {
  private static final String MECHANISM = "AWS_MSK_IAM";

  /** The scope of a request: key, day, region and service. */
  private static volatile Pattern scope = Pattern.compile("");

  static {
    Security.addProvider(new Mechanism());
  }

  @Override
  public void initialize(
      Subject subject, CallbackHandler handler, Map<String, ?> shared, Map<String, ?> options) {
    scope =
        Pattern.compile(
            Pattern.quote(options.get("keyId") + "/")
                + "\\d{8}"
                + Pattern.quote("/" + options.get("region") + "/kafka-cluster/aws4_request"));
  }

  @Override
  public boolean login() {
    return true;
  }

  @Override
  public boolean commit() {
    return true;
  }

  @Override
  public boolean abort() {
    return true;
  }

  @Override
  public boolean logout() {
    return true;
  }

  private static final class Mechanism extends Provider {
    private static final long serialVersionUID = 1;

    Mechanism() {
      super("MskIam of the testkit", "1", "SASL server of " + MECHANISM);
      put("SaslServerFactory." + MECHANISM, Factory.class.getName());
    }
  }

  /** Made by Java's SASL. */
  public static final class Factory implements SaslServerFactory {
    @Override
    public SaslServer createSaslServer(
        String mechanism,
        String protocol,
        String serverName,
        Map<String, ?> properties,
        CallbackHandler handler) {
      return new Server();
    }

    @Override
    public String[] getMechanismNames(Map<String, ?> properties) {
      return new String[] {MECHANISM};
    }
  }

  private static final class Server implements SaslServer {
    private static final Pattern SIGNATURE = Pattern.compile("[0-9a-f]{64}");

    private String user = "";

    @Override
    public String getMechanismName() {
      return MECHANISM;
    }

    @Override
    public byte[] evaluateResponse(byte[] response) throws SaslException {
      String request = new String(response, StandardCharsets.UTF_8);
      String credential = field(request, "x-amz-credential");
      if (!field(request, "action").equals("kafka-cluster:Connect")
          || !SIGNATURE.matcher(field(request, "x-amz-signature")).matches()
          || !scope.matcher(credential).matches()) {
        throw new SaslException("Access denied to " + credential);
      }
      user = credential.substring(0, credential.indexOf('/'));
      return "{\"version\":\"2020_10_22\",\"request-id\":\"1\"}".getBytes(StandardCharsets.UTF_8);
    }

    /** A field of a flat JSON object; empty if there is none. */
    private static String field(String json, String name) {
      Matcher field = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
      return field.find() ? field.group(1) : "";
    }

    @Override
    public boolean isComplete() {
      return !user.isEmpty();
    }

    @Override
    public String getAuthorizationID() {
      return user;
    }

    @Override
    public byte[] unwrap(byte[] incoming, int offset, int length) {
      throw new IllegalStateException("there is no layer of security");
    }

    @Override
    public byte[] wrap(byte[] outgoing, int offset, int length) {
      throw new IllegalStateException("there is no layer of security");
    }

    @Override
    public @Nullable Object getNegotiatedProperty(String name) {
      return null;
    }

    @Override
    public void dispose() {}
  }
}
