package io.tsdbsuite.job.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces references in settings of Kafka's clients by secrets: {@code ${source:name}}, the whole
 * secret, or {@code ${source:name#key}}, one text of a secret that is a JSON object. The sources
 * are {@code file}, with an absolute path, and {@code aws-secret}, with the ARN of a secret in AWS
 * Secrets Manager. A reference is a whole value or a part of it. In {@code sasl.jaas.config} a part
 * must be within double quotes, and is escaped as they need it.
 */
public final class SecretReferences {
  private static final String JAAS = "sasl.jaas.config";

  /** Kafka's own: comma-separated names of sources, which Kafka resolves itself. */
  private static final String PROVIDERS = "config.providers";

  private static final Pattern BEGIN = Pattern.compile("\\$\\{([a-z][a-z-]*):");
  private static final Pattern REST = Pattern.compile("([^#}]*)(?:#([^}]*))?\\}");
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, SecretSource> sources = new LinkedHashMap<>();
  private final Map<String, String> known = new HashMap<>();

  /**
   * @param sources the stores of secrets
   */
  public SecretReferences(List<SecretSource> sources) {
    sources.forEach(source -> this.sources.put(source.scheme(), source));
  }

  /** With files and AWS Secrets Manager. */
  public static SecretReferences standard() {
    return new SecretReferences(List.of(new FileSecrets(), new AwsSecrets(System.getenv(), PAUSE)));
  }

  /**
   * Replaces the references in all values; each secret is read once.
   *
   * @param problems receives the references that cannot be resolved, without any of the secrets
   * @throws SecretException outside, when a store does not answer
   */
  public void resolve(Map<String, String> settings, Consumer<String> problems)
      throws SecretException {
    Set<String> ofKafka = Set.of(settings.getOrDefault(PROVIDERS, "").strip().split("\\s*,\\s*"));
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      try {
        setting.setValue(resolved(setting.getKey(), setting.getValue(), ofKafka));
      } catch (SecretException e) {
        if (e.isOutside()) {
          throw e.of(setting.getKey());
        }
        problems.accept(e.of(setting.getKey()).getMessage());
      }
    }
  }

  private String resolved(String setting, String value, Set<String> ofKafka)
      throws SecretException {
    StringBuilder text = new StringBuilder();
    Matcher begin = BEGIN.matcher(value);
    int done = 0;
    while (done <= value.length() && begin.find(done)) {
      text.append(value, done, begin.start());
      String scheme = begin.group(1);
      if (ofKafka.contains(scheme)) {
        text.append(begin.group());
        done = begin.end();
        continue;
      }
      Matcher rest = REST.matcher(value).region(begin.end(), value.length());
      SecretSource source = sources.get(scheme);
      if (source == null) {
        throw SecretException.configuration(
            "a reference must be of %s, found: ${%s:...}"
                .formatted(String.join(" or ", new TreeSet<>(sources.keySet())), scheme));
      }
      if (!rest.lookingAt()) {
        throw SecretException.configuration("the reference ${" + scheme + ":... has no }");
      }
      String secret = secret(source, rest.group(1), rest.group(2));
      boolean whole = begin.start() == 0 && rest.end() == value.length();
      text.append(setting.equals(JAAS) && !whole ? quoted(value, begin.start(), secret) : secret);
      done = rest.end();
    }
    return text.append(value, done, value.length()).toString();
  }

  private String secret(SecretSource source, String name, @Nullable String key)
      throws SecretException {
    String reference = "${" + source.scheme() + ":" + name + (key == null ? "" : "#" + key) + "}";
    try {
      String place = source.scheme() + ":" + name;
      String all = known.get(place);
      if (all == null) {
        all = source.read(name);
        known.put(place, all);
      }
      String text = key == null ? all : ofKey(all, key);
      if (text.isEmpty()) {
        throw SecretException.configuration("the secret is empty");
      }
      return text;
    } catch (SecretException e) {
      throw e.of(reference);
    }
  }

  private static String ofKey(String secret, String key) throws SecretException {
    JsonNode object;
    try {
      object = MAPPER.readTree(secret);
    } catch (JsonProcessingException e) {
      // Without the exception, which quotes the secret.
      throw SecretException.configuration("the secret is not JSON, so it has no keys");
    }
    if (!object.isObject()) {
      throw SecretException.configuration("the secret is not a JSON object, so it has no keys");
    }
    JsonNode value = object.get(key);
    if (value == null) {
      throw SecretException.configuration("the secret has no key '" + key + "'");
    }
    if (!value.isTextual()) {
      throw SecretException.configuration("key '" + key + "' of the secret is not a text");
    }
    return value.textValue();
  }

  /** A secret within a quoted text of JAAS, which a line end would end. */
  private static String quoted(String value, int at, String secret) throws SecretException {
    boolean inQuotes = false;
    for (int i = 0; i < at; i++) {
      if (inQuotes && value.charAt(i) == '\\') {
        i++;
      } else if (value.charAt(i) == '"') {
        inQuotes = !inQuotes;
      }
    }
    if (!inQuotes) {
      throw SecretException.configuration(
          "a reference must be in double quotes, or the whole value");
    }
    return secret
        .replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }
}
