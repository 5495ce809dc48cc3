package io.tsdbsuite.bulk.input;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * The files that arguments name, in the order of the arguments.
 *
 * <p>An argument is a local path, a URI of any file system that Hadoop supports ({@code s3a://},
 * {@code hdfs://}, {@code file://}), or {@code -} for standard input. It may be a glob: {@code *},
 * {@code ?}, {@code [abc]} and {@code {a,b}} within a name. A directory means all files below it.
 * Files of one argument are sorted by their paths; those with a name that begins with {@code .} or
 * {@code _}, or in a directory of such a name, are left out unless the argument contains the name.
 */
public final class InputFiles {
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:/.*");

  private final Path base;
  private final Configuration conf;
  private final FilePatterns patterns;
  private final InputStream stdin;
  private final List<InputFile> files = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();
  private final List<String> hidden = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Map<String, String> seen = new HashMap<>();

  private InputFiles(Path base, FilePatterns patterns, Configuration conf, InputStream stdin) {
    this.base = base;
    this.patterns = patterns;
    this.conf = conf;
    this.stdin = stdin;
  }

  /**
   * Files that arguments name.
   *
   * @param files that are input
   * @param leftOut names of those that the patterns leave out, and of files and directories in
   *     named directories that begin with {@code .} or {@code _}
   */
  public record Found(List<InputFile> files, List<String> leftOut) {}

  /**
   * Finds the files.
   *
   * @param base where relative paths begin; names of files do not have it
   * @param patterns which of the files are input; standard input is
   * @param conf settings of file systems
   * @param stdin the stream that {@code -} names
   * @throws JobException with all problems: an argument that names nothing, a file that is named
   *     twice, a pattern that matches none, patterns that leave no file; or when a file system
   *     fails
   */
  public static Found find(
      List<String> arguments,
      Path base,
      FilePatterns patterns,
      Configuration conf,
      InputStream stdin) {
    InputFiles search = new InputFiles(base, patterns, conf, stdin);
    for (String argument : arguments) {
      search.add(argument);
    }
    if (arguments.isEmpty()) {
      search.problems.add("input: must name at least one file, found none");
    }
    if (search.problems.isEmpty()) {
      patterns.requireUsed(search.names(), search.problems::add);
    }
    if (!search.problems.isEmpty()) {
      throw JobException.usage(search.problems);
    }
    if (search.files.isEmpty()) {
      throw JobException.usage(
          "--include and --exclude must leave a file, found " + search.leftOut.size() + " others");
    }
    return new Found(
        List.copyOf(search.files),
        Stream.concat(search.leftOut.stream(), search.hidden.stream()).toList());
  }

  /**
   * A file that {@link #find} found, perhaps on another machine.
   *
   * @param name its name there, a URI or an absolute path
   * @param size its size there, bytes
   * @param modifiedMillis when it was written last, milliseconds since the epoch
   */
  public static InputFile again(String name, long size, long modifiedMillis, Configuration conf) {
    return URI.matcher(name).matches()
        ? HadoopFiles.again(name, size, modifiedMillis, conf)
        : LocalFiles.again(name, size, modifiedMillis);
  }

  /**
   * A name that means the same file from any working directory.
   *
   * @param name a path, a URI, or {@code -}
   */
  public static String absolute(String name) {
    return name.equals("-") || URI.matcher(name).matches()
        ? name
        : Path.of(name).toAbsolutePath().toString();
  }

  /** Names of all that was found, standard input excepted. */
  private List<String> names() {
    Stream<String> read = files.stream().filter(file -> !file.isStdin()).map(InputFile::name);
    return Stream.of(read, leftOut.stream(), hidden.stream()).flatMap(names -> names).toList();
  }

  private void add(String argument) {
    int before = files.size() + leftOut.size() + problems.size();
    FileSink found = new FileSink(argument);
    try {
      if (argument.equals("-")) {
        found.file("-", new InputFile("-", -1, -1, new InputFile.Stdin(stdin)));
      } else if (URI.matcher(argument).matches()) {
        HadoopFiles.find(argument, conf, found);
      } else {
        LocalFiles.find(argument, base, found);
      }
    } catch (IOException e) {
      String access = AccessFailures.reason(e);
      throw access == null
          ? JobException.outside(argument + ": cannot be listed: " + StorageFailures.reason(e), e)
          : JobException.usage(argument + ": cannot be listed: " + access, e);
    }
    if (files.size() + leftOut.size() + problems.size() == before) {
      problems.add(argument + ": must name at least one file, found none");
    }
  }

  /** Receives the files of an argument. */
  final class FileSink {
    private final String argument;

    private FileSink(String argument) {
      this.argument = argument;
    }

    /**
     * A file.
     *
     * @param key the same for the same file, however it is named
     */
    void file(String key, InputFile file) {
      String other = seen.putIfAbsent(key, argument);
      if (other == null && !file.isStdin() && !patterns.accept(file.name())) {
        leftOut.add(file.name());
      } else if (other == null) {
        files.add(file);
      } else {
        problem(file.name() + " must be named once, was named by " + other);
      }
    }

    /**
     * A file or directory that is left out for its name.
     *
     * @param name path or URI
     */
    void hidden(String name) {
      hidden.add(name);
    }

    /** Something wrong with the argument. */
    void problem(String problem) {
      problems.add(argument + ": " + problem);
    }
  }

  /** Whether a name is not meant by a directory or a glob: markers, temporary and hidden files. */
  static boolean isHidden(String name) {
    return name.startsWith(".") || name.startsWith("_");
  }

  /** Whether a path has a character that makes it a glob. */
  static boolean isGlob(String path) {
    return path.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }
}
