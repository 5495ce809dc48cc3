package io.tsdbsuite.testkit;

import io.tsdbsuite.testkit.server.MainLauncher;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JVMs of a Flink distribution: class path, flags and environment that its scripts would give
 * them.
 */
final class FlinkJvms {
  /** The last jar of the class path, as in Flink's scripts. */
  private static final String DIST = "flink-dist";

  /** What {@code env.java.opts.all} of Flink's own config.yaml has for Java 17. */
  private static final List<String> EXPORTS =
      List.of(
          "java.base/sun.net.util",
          "java.rmi/sun.rmi.registry",
          "jdk.compiler/com.sun.tools.javac.api",
          "jdk.compiler/com.sun.tools.javac.file",
          "jdk.compiler/com.sun.tools.javac.parser",
          "jdk.compiler/com.sun.tools.javac.tree",
          "jdk.compiler/com.sun.tools.javac.util",
          "java.security.jgss/sun.security.krb5");

  private static final List<String> OPENS =
      List.of(
          "java.lang",
          "java.net",
          "java.io",
          "java.nio",
          "sun.nio.ch",
          "java.lang.reflect",
          "java.text",
          "java.time",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.concurrent.locks");

  private final Path home;
  private final Path conf;
  private final Path plugins;
  private final List<String> flags;

  /**
   * The JVMs of one cluster.
   *
   * @param home a {@link FlinkHome}
   * @param conf the directory of config.yaml and log4j.properties
   * @param plugins has a directory for each plugin
   * @param flags of all JVMs
   */
  FlinkJvms(Path home, Path conf, Path plugins, List<String> flags) {
    this.flags = List.copyOf(flags);
    this.plugins = plugins;
    this.home = home;
    this.conf = conf;
  }

  /** A JobManager: 512 MB at most. */
  ServerKind jobManager() {
    return kind("-Xmx224m", "-XX:MaxDirectMemorySize=96m", "-XX:MaxMetaspaceSize=192m");
  }

  /** A TaskManager whose memory is this. */
  ServerKind taskManager(FlinkMemory memory) {
    return kind(memory.jvmFlags().toArray(new String[0]));
  }

  /** The command line client. It logs warnings only, between the lines of its output. */
  ServerKind client() {
    return kind("-Xmx192m", "-Dtestkit.log.level=WARN");
  }

  private ServerKind kind(String... own) {
    List<String> all = new ArrayList<>();
    EXPORTS.forEach(name -> all.add("--add-exports=" + name + "=ALL-UNNAMED"));
    OPENS.forEach(name -> all.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    all.add("-Dlog4j2.configurationFile=" + conf.resolve("log4j.properties"));
    all.addAll(List.of(own));
    all.addAll(flags);
    return new ServerKind(
        MainLauncher.class.getName(),
        this::classPath,
        all,
        Map.of(
            "FLINK_CONF_DIR", conf.toString(),
            "FLINK_LIB_DIR", home.resolve("lib").toString(),
            "FLINK_PLUGINS_DIR", plugins.toString()),
        "testkit-server-flink.java.home");
  }

  private String classPath() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("lib"))) {
      List<String> jars =
          files.map(Path::toString).filter(file -> file.endsWith(".jar")).sorted().toList();
      return Stream.concat(
              jars.stream().filter(jar -> !isDist(jar)), jars.stream().filter(FlinkJvms::isDist))
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static boolean isDist(String jar) {
    return Path.of(jar).getFileName().toString().startsWith(DIST);
  }
}
