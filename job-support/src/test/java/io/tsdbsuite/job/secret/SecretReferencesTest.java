package io.tsdbsuite.job.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretReferencesTest {
  private static final String JAAS = "sasl.jaas.config";
  private static final String KEY = "ssl.keystore.key";
  private static final String SECRET = "hunter2";

  @TempDir Path directory;

  private final List<String> problems = new ArrayList<>();

  private String resolved(String setting, String value) throws SecretException {
    Map<String, String> settings = new LinkedHashMap<>(Map.of("client.id", "a", setting, value));
    SecretReferences.standard().resolve(settings, problems::add);
    assertThat(settings).containsEntry("client.id", "a");
    return settings.get(setting);
  }

  private String file(String text) throws IOException {
    Path file = Files.createTempFile(directory, "secret", "");
    Files.writeString(file, text);
    return file.toString();
  }

  /** The only problem of a value, after the setting and the reference. */
  private String problem(String setting, String value) throws SecretException {
    assertThat(resolved(setting, value)).isEqualTo(value);
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).startsWith(setting + ": ").doesNotContain(SECRET);
    return problems.get(0).substring(setting.length() + 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "$", "${", "${}", "${X:y}", "a ${ b } ${1:x}", "${novar}"})
  void otherTextsStay(String value) throws SecretException {
    assertThat(resolved(KEY, value)).isEqualTo(value);
    assertThat(problems).isEmpty();
  }

  @Test
  void files() throws IOException, SecretException {
    assertThat(resolved(KEY, "${file:" + file("a b\n") + "}")).isEqualTo("a b");
    assertThat(resolved(KEY, "${file:" + file("a\r\n") + "}")).isEqualTo("a");
    assertThat(resolved(KEY, "${file:" + file("a\n\n") + "}")).isEqualTo("a\n");
    // What looks like a reference in a secret is none.
    assertThat(resolved(KEY, "<${file:" + file("${file:/x}") + "}>")).isEqualTo("<${file:/x}>");
    String json = file("{\"user\":\"u\",\"key\":\"-----\\nMII\"}");
    assertThat(resolved(KEY, "${file:" + json + "#user}:${file:" + json + "#key}"))
        .isEqualTo("u:-----\nMII");
    assertThat(problems).isEmpty();
  }

  /** Kafka's parser of JAAS gets the password back: SecuredKafkaIT. */
  @Test
  void jaas() throws IOException, SecretException {
    String json = file("{\"user\":\"u\",\"password\":\"a\\\"b\\\\c\\nd\\re;'\"}");
    String value =
        "Module required username=\"${file:%1$s#user}\" password=\"x\\\"${file:%1$s#password}\";"
            .formatted(json);
    assertThat(resolved(JAAS, value))
        .isEqualTo("Module required username=\"u\" password=\"x\\\"a\\\"b\\\\c\\nd\\re;'\";");
    assertThat(resolved(JAAS, "${file:" + file("M required p=\"a\\\\b\";\n") + "}"))
        .isEqualTo("M required p=\"a\\\\b\";");
    assertThat(problem(JAAS, "M required password=${file:" + json + "#password};"))
        .isEqualTo("a reference must be in double quotes, or the whole value");
  }

  @Test
  void sourcesOfKafkaStay() throws SecretException {
    Map<String, String> settings =
        new LinkedHashMap<>(
            Map.of("config.providers", "vault, file", KEY, "${file:/x.properties:key}${vault:a}"));
    SecretReferences.standard().resolve(settings, problems::add);
    assertThat(settings).containsEntry(KEY, "${file:/x.properties:key}${vault:a}");
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ${env:X}       | a reference must be of aws-secret or file, found: ${env:...}
          ${file:/x      | the reference ${file:... has no }
          ${file:x}      | ${file:x}: must be an absolute path
          ${file:/no/x}  | ${file:/no/x}: there is no such file
          ${file:/no#y}  | ${file:/no#y}: there is no such file
          ${aws-secret:x}| ${aws-secret:x}: must be the ARN of a secret \
          (arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME)
          """)
  void wrongReferences(String value, String problem) throws SecretException {
    assertThat(problem(KEY, value)).isEqualTo(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hunter2               | k | the secret is not JSON, so it has no keys
          {"p":"hunter2         | p | the secret is not JSON, so it has no keys
          ["hunter2"]           | p | the secret is not a JSON object, so it has no keys
          {"p":"hunter2"}       | q | the secret has no key 'q'
          {"p":{"q":"hunter2"}} | p | key 'p' of the secret is not a text
          {"p":""}              | p | the secret is empty
          """)
  void wrongSecretsAreNotShown(String secret, String key, String problem)
      throws IOException, SecretException {
    String reference = "${file:" + file(secret) + "#" + key + "}";
    assertThat(problem(KEY, reference)).isEqualTo(reference + ": " + problem);
  }

  @Test
  void unreadableFiles() throws IOException, SecretException {
    Path binary = directory.resolve("binary");
    Files.write(binary, "\u00e4".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(problem(KEY, "${file:" + binary + "}")).endsWith(": the file is not UTF-8");
    problems.clear();
    assertThat(problem(KEY, "${file:" + file("\n") + "}")).endsWith(": the secret is empty");
    problems.clear();
    assertThat(problem(KEY, "${file:" + directory + "}")).contains(": the file cannot be read: ");
  }

  @Test
  void eachSecretIsReadOnce() throws SecretException {
    List<String> read = new ArrayList<>();
    SecretReferences references = new SecretReferences(List.of(source(read)));
    Map<String, String> settings =
        new LinkedHashMap<>(
            Map.of(
                JAAS, "M required username=\"${test:a#u}\" password=\"${test:a#p}\";",
                KEY, "${test:a}"));
    references.resolve(settings, problems::add);
    assertThat(settings).containsEntry(JAAS, "M required username=\"1\" password=\"2\";");
    assertThat(read).containsExactly("a");
  }

  @Test
  void aStoreThatDoesNotAnswer() {
    SecretReferences references = new SecretReferences(List.of(source(new ArrayList<>())));
    Map<String, String> settings = new LinkedHashMap<>(Map.of(KEY, "${test:down}"));
    assertThatThrownBy(() -> references.resolve(settings, problems::add))
        .isInstanceOf(SecretException.class)
        .hasMessage(KEY + ": ${test:down}: no answer");
  }

  private static SecretSource source(List<String> read) {
    return new SecretSource() {
      @Override
      public String scheme() {
        return "test";
      }

      @Override
      public String read(String name) throws SecretException {
        if (name.equals("down")) {
          throw SecretException.outside("no answer");
        }
        read.add(name);
        return "{\"u\":\"1\",\"p\":\"2\"}";
      }
    };
  }
}
