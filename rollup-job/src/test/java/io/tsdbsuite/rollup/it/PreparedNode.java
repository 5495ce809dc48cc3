package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What cloudformation/prepare-node.sh leaves on the primary node of a cluster: the real script,
 * with a command that answers as the AWS CLI does.
 *
 * @param directory what the script made
 */
record PreparedNode(Path directory) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path SCRIPT = Path.of("..", "cloudformation", "prepare-node.sh");
  private static final String ARN = "arn:aws:secretsmanager:eu-west-1:0:secret:kafka";

  private static final String AWS =
      """
      #!/usr/bin/env bash
      set -euo pipefail
      cd "$(dirname "$0")"
      case "$1 $2" in
        's3 cp') cp "${4##*/}" "$5" ;;
        'secretsmanager get-secret-value') cat secret.json ;;
        *) exit 252 ;;
      esac
      """;

  /**
   * Runs the script.
   *
   * @param security of Kafka
   * @param secret what Secrets Manager has; empty for no secret
   */
  static PreparedNode of(String security, Map<String, String> secret)
      throws IOException, InterruptedException {
    SmallData data = SmallData.get();
    Path home = TestFiles.directory("primary-node");
    Path aws = Files.createDirectory(home.resolve("aws"));
    Files.copy(data.configFile(), aws.resolve("opentsdb.conf"));
    Files.copy(data.rollupConfig(), aws.resolve("rollup_config.json"));
    if (security.equals("MSK_IAM")) {
      Files.copy(Path.of(System.getProperty("msk.iam.jar")), aws.resolve("aws-msk-iam-auth.jar"));
    }
    Files.writeString(aws.resolve("secret.json"), MAPPER.writeValueAsString(secret));
    Files.setPosixFilePermissions(
        Files.writeString(aws.resolve("aws"), AWS), PosixFilePermissions.fromString("rwx------"));
    Path instance = Files.writeString(home.resolve("instance.json"), "{\"isMaster\": true}");
    PreparedNode node = new PreparedNode(home.resolve("rollup"));
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", SCRIPT.toAbsolutePath().normalize().toString()));
    command.addAll(List.of("--artifacts", "s3://artifacts/rollup/1"));
    command.addAll(List.of("--kafka-security", security));
    command.addAll(List.of("--kafka-secret", secret.isEmpty() ? "none" : ARN));
    command.addAll(List.of("--directory", node.directory.toString()));
    command.addAll(List.of("--instance-file", instance.toString()));
    Path log = home.resolve("prepare-node.log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().merge("PATH", aws.toString(), (old, first) -> first + ":" + old);
    Process process = builder.start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log, StandardCharsets.UTF_8)).isZero();
    // What was served is not on the node.
    TestFiles.delete(aws);
    return node;
  }

  /** The job's options for these files, as the pipeline gives them. */
  String[] options() {
    return new String[] {
      "--tsd-config=" + directory.resolve("opentsdb.conf"),
      "--rollup-config=" + directory.resolve("rollup_config.json"),
      "--kafka-config=" + directory.resolve("kafka.properties")
    };
  }

  /** The library for MSK's IAM, with {@code MSK_IAM}. */
  Path mskIam() {
    return directory.resolve("aws-msk-iam-auth.jar");
  }

  /** Deletes the node's files. */
  void remove() {
    TestFiles.delete(directory);
  }
}
