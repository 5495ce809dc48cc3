package io.tsdbsuite.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * HBase's and Hadoop's commands, for scripts that find them on PATH: {@code hbase snapshot info},
 * {@code hbase snapshot create}, {@code hbase shell}, {@code hbase CLASS} and {@code hadoop fs}.
 *
 * <p>Each command starts a JVM with the same class as HBase's or Hadoop's own script, and returns
 * its exit code. Like the original commands, they log to standard error from level INFO. The
 * shell's Ruby code is from HBase 2.4 (without {@code trace}), the newest that Maven resolves; its
 * Java classes are from HBase 2.6.
 */
public final class HBaseCommands {
  /** Exit code of both commands for unsupported arguments; EX_USAGE of sysexits.h. */
  private static final int USAGE = 64;

  private static final ServerKind KIND = ServerKind.HBASE;

  private HBaseCommands() {}

  /**
   * Writes the command scripts and their configuration.
   *
   * @param dir all of their files
   * @param hbaseSite hbase-site.xml, for example {@link HBaseServer#clientSite}
   * @param coreSite core-site.xml, for example {@link S3Server#s3aProperties}; it contains the
   *     credentials, so that no argument does
   * @return the directory for PATH
   */
  public static Path write(Path dir, Map<String, String> hbaseSite, Map<String, String> coreSite) {
    Path home = dir.toAbsolutePath();
    Path conf = home.resolve("conf");
    Path bin = home.resolve("bin");
    Map<String, String> core = new LinkedHashMap<>(coreSite);
    core.put("hadoop.tmp.dir", home.resolve("hadoop").toString());
    // The default is a fixed path below the system's tmp directory.
    core.put("mapreduce.jobtracker.staging.root.dir", home.resolve("staging").toString());
    try {
      Files.createDirectories(bin);
      Files.createDirectories(conf);
      site(conf.resolve("core-site.xml"), core);
      site(conf.resolve("hbase-site.xml"), hbaseSite);
      override(conf, "shell/commands/trace.rb");
      List<String> java = new ArrayList<>(KIND.command(home, List.of(conf)));
      String classPath = java.remove(java.size() - 1);
      java.remove("-cp");
      java.add("-Dtestkit.log.level=INFO");
      executable(bin.resolve("hbase"), hbase(java, classPath));
      executable(bin.resolve("hadoop"), hadoop(java, classPath));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bin;
  }

  private static void site(Path file, Map<String, String> settings) throws IOException {
    Configuration site = new Configuration(false);
    settings.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      site.writeXml(out);
    }
  }

  /** Replaces a file of the shell by one of testkit-server-hbase-shell. */
  private static void override(Path conf, String resource) throws IOException {
    Path file = conf.resolve(resource);
    Files.createDirectories(file.getParent());
    try (InputStream in = HBaseCommands.class.getClassLoader().getResourceAsStream(resource)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static String hbase(List<String> java, String classPath) throws IOException {
    String shell = classPath + File.pathSeparator;
    shell += ServerKind.libraries("testkit-server-hbase-shell");
    // JRuby needs deeper stacks than the servers; JRUBY_OPTS is the value of HBase's script.
    List<String> ruby = new ArrayList<>(java);
    ruby.add("-Xss2m");
    return """
    #!/usr/bin/env bash
    export CLASSPATH=%s
    java=(%s)
    case "${1-} ${2-}" in
      'snapshot info') class=org.apache.hadoop.hbase.snapshot.SnapshotInfo; shift 2 ;;
      'snapshot create') class=org.apache.hadoop.hbase.snapshot.CreateSnapshot; shift 2 ;;
      'shell '*)
        class=org.jruby.JarBootstrapMain
        shift
        export JRUBY_OPTS=-X+O CLASSPATH=%s
        java=(%s)
        ;;
      org.*) class=$1; shift ;;
      *) echo "hbase: not in the testkit: $*" >&2; exit %d ;;
    esac
    exec "${java[@]}" "$class" "$@"
    """
        .formatted(quoted(classPath), quoted(java), quoted(shell), quoted(ruby), USAGE);
  }

  private static String hadoop(List<String> java, String classPath) {
    return """
    #!/usr/bin/env bash
    [[ ${1-} == fs ]] || { echo "hadoop: not in the testkit: $*" >&2; exit %d; }
    shift
    export CLASSPATH=%s
    java=(%s)
    exec "${java[@]}" org.apache.hadoop.fs.FsShell "$@"
    """
        .formatted(USAGE, quoted(classPath), quoted(java));
  }

  private static String quoted(List<String> words) {
    return words.stream().map(HBaseCommands::quoted).collect(Collectors.joining(" "));
  }

  /** Quotes a text as one word of a shell. */
  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
