package io.tsdbsuite.trigger.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.HBaseCommands;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.PythonPackages;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The repository's export-snapshots.sh with HBase's, Hadoop's and AWS's own commands on PATH, each
 * behind a wrapper that records its arguments. Credentials are in files.
 */
final class Exporter {
  /**
   * One run.
   *
   * @param calls of commands, in order: name and arguments
   */
  record Run(int exitCode, String out, String err, List<String> calls) {
    /** Calls that contain a text. */
    List<String> calls(String part) {
      return calls.stream().filter(call -> call.contains(part)).toList();
    }
  }

  private static final Path SCRIPT =
      Path.of("..", "cloudformation", "export-snapshots.sh").toAbsolutePath().normalize();
  private static final long PATIENCE_MINUTES = 5;

  private final Path dir;
  private final Path calls;
  private final Path before;
  private final S3Server s3;

  /**
   * An exporter from an HBase to an S3 server.
   *
   * @param name of its directory
   * @param hbaseSite properties of hbase-site.xml besides those that the server's clients need
   */
  Exporter(String name, HBaseServer hbase, Map<String, String> hbaseSite, S3Server s3)
      throws IOException, InterruptedException {
    this.s3 = s3;
    dir = WorkDirs.fresh(name);
    calls = dir.resolve("calls");
    before = dir.resolve("before");
    Files.createDirectories(dir.resolve("tmp"));
    Map<String, String> site = new LinkedHashMap<>(hbase.clientSite());
    site.putAll(hbaseSite);
    Path bin = HBaseCommands.write(dir.resolve("hbase"), site, s3.s3aProperties());
    wrapper("hbase", "exec " + bin.resolve("hbase"));
    wrapper("hadoop", "exec " + bin.resolve("hadoop"));
    wrapper("aws", aws());
  }

  /** AWS's command line, of PyPI. */
  private String aws() throws IOException, InterruptedException {
    String version = System.getProperty("awscli.version");
    ProcessBuilder python =
        PythonPackages.install("awscli-" + version, "awscli==" + version).python("-m", "awscli");
    Files.writeString(
        dir.resolve("credentials"),
        "[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n"
            .formatted(s3.accessKey(), s3.secretKey()));
    String path = python.environment().getOrDefault("PYTHONPATH", "");
    return "PYTHONPATH='%s' exec %s".formatted(path, String.join(" ", python.command()));
  }

  private void wrapper(String command, String real) throws IOException {
    Path bin = Files.createDirectories(dir.resolve("bin"));
    Path file = bin.resolve(command);
    Files.write(
        file,
        List.of(
            "#!/usr/bin/env bash",
            "call=\"" + command + " $*\"",
            "printf '%s\\n' \"$call\" >>" + calls,
            "[[ ! -f " + before + " ]] || . " + before,
            real + " \"$@\""));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** Kills the S3 server before a command whose call contains a text starts. */
  void killS3Before(String part) throws IOException {
    Files.writeString(before, "[[ $call != *'%s'* ]] || kill -KILL %d%n".formatted(part, s3.pid()));
  }

  /** Undoes {@link #killS3Before}. */
  void cancelKill() throws IOException {
    Files.deleteIfExists(before);
  }

  /** Runs the script to its end. */
  Run run(String... arguments) throws IOException, InterruptedException {
    Files.writeString(calls, "");
    List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString()));
    command.addAll(List.of(arguments));
    Path out = dir.resolve("out");
    Path err = dir.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("JAVA_"));
    environment.put("PATH", dir.resolve("bin") + ":" + System.getenv("PATH"));
    environment.put("HOME", dir.toString());
    environment.put("TMPDIR", dir.resolve("tmp").toString());
    environment.put("AWS_ENDPOINT_URL", s3.endpoint().toString());
    environment.put("AWS_DEFAULT_REGION", "us-east-1");
    environment.put("AWS_CONFIG_FILE", "/dev/null");
    environment.put("AWS_SHARED_CREDENTIALS_FILE", dir.resolve("credentials").toString());
    environment.put("AWS_EC2_METADATA_DISABLED", "true");
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    Run run =
        new Run(
            process.waitFor(),
            Files.readString(out),
            Files.readString(err),
            Files.readAllLines(calls));
    assertThat(run.out() + run.err() + run.calls()).doesNotContain(s3.secretKey());
    return run;
  }
}
