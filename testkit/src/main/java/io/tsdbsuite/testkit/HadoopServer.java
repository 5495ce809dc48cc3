package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A JVM of a {@link HadoopCluster}: NameNode, DataNode and ResourceManager, or a NodeManager. A
 * killed NodeManager takes its containers with it, like a machine that fails.
 */
public final class HadoopServer extends ManagedServer {
  private static final Duration START = Duration.ofMinutes(5);

  private final String name;
  private final Path dir;
  private final ServerKind kind;
  private final Path confDir;
  private final Map<String, String> arguments;

  /**
   * A server that is not started yet.
   *
   * @param name names it in messages, and its log
   * @param dir its working directory
   * @param kind its JVM
   * @param confDir directory of the configuration
   * @param arguments of HadoopLauncher
   */
  HadoopServer(
      String name, Path dir, ServerKind kind, Path confDir, Map<String, String> arguments) {
    this.name = name;
    this.dir = dir;
    this.kind = kind;
    this.confDir = confDir;
    this.arguments = Map.copyOf(arguments);
  }

  @Override
  ServerProcess launch() {
    // As Hadoop's scripts do: parts of a NodeManager read the configuration from the class path.
    return ServerProcess.start(kind, name, dir, List.of(confDir), arguments, START);
  }

  @Override
  void beforeKill(ServerProcess dying) {
    // First the node itself, so that it cannot report its containers' end.
    List<ProcessHandle> containers = dying.descendants();
    dying.kill();
    containers.forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * The command lines of its containers' JVMs, and of the shells around them.
   *
   * @return one text for each process, its words separated by blanks
   */
  public List<String> commandLines() {
    List<String> lines = new ArrayList<>();
    for (ProcessHandle child : ProcessHandle.of(pid()).orElseThrow().descendants().toList()) {
      child.info().arguments().ifPresent(arguments -> lines.add(String.join(" ", arguments)));
    }
    return lines;
  }

  /**
   * Its name.
   *
   * @return {@code hadoop} or {@code node-0} and so on
   */
  public String name() {
    return name;
  }
}
