package io.tsdbsuite.dist.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * A Java program of the suite.
 *
 * @param name the command in {@code bin/}
 * @param module the directory of its module, with its script {@code bin/<name>}
 * @param classifier what follows the version in the name of its jar
 * @param mainClass of a program that {@code java -cp} runs: its script is made from a template, and
 *     the module has none
 * @param commandLine makes the parser of its options
 */
public record Program(
    String name,
    String module,
    String classifier,
    Optional<String> mainClass,
    Supplier<CommandLine> commandLine) {

  /** A program with a script of its own. */
  static Program withScript(String name, String classifier, Supplier<CommandLine> commandLine) {
    return new Program(name, name, classifier, Optional.empty(), commandLine);
  }

  /** A program that needs nothing but Java and its jar. */
  public static Program ofJava(
      String name,
      String module,
      String classifier,
      String mainClass,
      Supplier<CommandLine> commandLine) {
    return new Program(name, module, classifier, Optional.of(mainClass), commandLine);
  }

  /** The name of its jar, as the build writes it. */
  public String jar(String version) {
    return module + "-" + version + "-" + classifier + ".jar";
  }

  /**
   * The script of a program that needs nothing but Java, from a template; empty if the module has
   * the script.
   */
  public Optional<String> script() throws IOException {
    if (mainClass.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream template =
        Objects.requireNonNull(Program.class.getResourceAsStream("java-program.sh"))) {
      return Optional.of(
          new String(template.readAllBytes(), StandardCharsets.UTF_8)
              .replace("@NAME@", name)
              .replace("@VARIABLE@", name.toUpperCase(Locale.ROOT).replace('-', '_') + "_JAR")
              .replace("@JAR@", module + "-*-" + classifier + ".jar")
              .replace("@MAIN@", mainClass.get()));
    }
  }
}
