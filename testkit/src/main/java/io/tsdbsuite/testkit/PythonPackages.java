package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** PyPI packages, installed once below .venv/ at the root of the checkout. */
public final class PythonPackages {
  private static final long INSTALL_MINUTES = 15;
  private static final int ATTEMPTS = 3;

  private final Path home;
  private final boolean isVenv;

  private PythonPackages(Path home) {
    this.home = home;
    this.isVenv = Files.exists(home.resolve("bin").resolve("python3"));
  }

  /**
   * Installs packages unless they are already installed.
   *
   * @param name name of the directory, with the version, so that each version has its own directory
   * @param requirements requirements in pip's notation
   * @return the packages
   * @throws IOException with pip's output when that fails
   */
  public static PythonPackages install(String name, String... requirements)
      throws IOException, InterruptedException {
    Path home = Path.of("..", ".venv", name).toAbsolutePath().normalize();
    Path done = home.resolve(".installed");
    if (!Files.exists(done)) {
      installLocked(home, done, List.of(requirements));
    }
    return new PythonPackages(home);
  }

  /** The directory of the packages. */
  public Path home() {
    return home;
  }

  /**
   * Python with these packages.
   *
   * @param arguments arguments of the interpreter
   * @return the command, not started
   */
  public ProcessBuilder python(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(isVenv ? home.resolve("bin").resolve("python3").toString() : "python3");
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    // A virtual environment needs it only if pip failed in it: install() then used another pip.
    builder.environment().put("PYTHONPATH", home.toString());
    return builder;
  }

  /** Two modules whose tests run at the same time install the same packages once. */
  private static synchronized void installLocked(Path home, Path done, List<String> requirements)
      throws IOException, InterruptedException {
    Files.createDirectories(home.getParent());
    Path lockFile = home.resolveSibling(home.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !Files.exists(done)) {
        install(home, requirements);
        Files.createFile(done);
      }
    }
  }

  private static void install(Path home, List<String> requirements)
      throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        installOnce(home, requirements);
        return;
      } catch (IOException e) {
        // A package index fails at times.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Installs into a virtual environment, or with Python's own pip if it cannot create one. */
  private static void installOnce(Path home, List<String> requirements)
      throws IOException, InterruptedException {
    try {
      run(List.of("python3", "-m", "venv", "--clear", home.toString()), home);
      run(pip(home.resolve("bin").resolve("python3").toString(), requirements), home);
    } catch (IOException venv) {
      List<String> command = new ArrayList<>(pip("python3", requirements));
      command.addAll(List.of("--upgrade", "--target", home.toString()));
      try {
        run(command, home);
      } catch (IOException pip) {
        pip.addSuppressed(venv);
        throw pip;
      }
    }
  }

  private static List<String> pip(String python, List<String> requirements) {
    List<String> command = new ArrayList<>(List.of(python, "-m", "pip", "install", "--quiet"));
    // Python compiles what it imports; to compile all takes 40 % of pip's CPU.
    command.addAll(List.of("--disable-pip-version-check", "--no-compile"));
    command.addAll(requirements);
    return command;
  }

  private static void run(List<String> command, Path home)
      throws IOException, InterruptedException {
    Path log = WorkDirs.fresh(home.getFileName().toString()).resolve("install.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(command + " failed:" + System.lineSeparator() + Files.readString(log));
    }
  }
}
