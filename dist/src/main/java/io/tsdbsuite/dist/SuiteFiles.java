package io.tsdbsuite.dist;

import io.tsdbsuite.dist.command.ManPage;
import io.tsdbsuite.dist.command.Program;
import io.tsdbsuite.dist.command.Programs;
import io.tsdbsuite.dist.tree.Entry;
import io.tsdbsuite.dist.tree.FileTree;
import io.tsdbsuite.dist.tree.GitFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import picocli.AutoComplete;

/**
 * The files of {@code opentsdb-suite-VERSION.tar.gz}, from a source tree whose jars are built.
 *
 * <pre>
 *   bin/             commands
 *   lib/             jars of the commands, launcher.sh
 *   plugins/         jars for TSDs
 *   conf/            examples of configuration files
 *   cloudformation/  templates and scripts for AWS
 *   completion/      for bash and zsh, a file for each command
 *   man/man1/        man pages
 *   docs/, README.md, CHANGELOG.md, SECURITY.md
 *   licenses/, LICENSE
 *   sbom/            bill of materials of each jar
 *   VERSION          version and commit
 *   SHA256SUMS       of all files
 * </pre>
 */
final class SuiteFiles {
  /** The TSD plugins, and the library of one; their jars have the classifier tsd. */
  static final List<String> PLUGINS =
      List.of(
          "histogram-codec",
          "kafka-ingest",
          "kafka-ingest-msk",
          "rollup-query",
          "tsuid-ratelimiter");

  /** What {@code rollup-aws} uses. */
  private static final List<String> CLOUDFORMATION =
      List.of("params", "rollup_aws", "stacks", "state-machine");

  private static final List<String> CLOUDFORMATION_FILES =
      List.of(
          "bin/rollup-aws",
          "apply-tiers.sh",
          "export-snapshots.sh",
          "forward-events.yaml",
          "prepare-node.sh",
          "rollup-pipeline.yaml");

  /** Made by the build, from the dashboard for OpenTSDB. */
  private static final String PROMETHEUS_DASHBOARD = "grafana-dashboard-prometheus.json";

  private final Path root;
  private final String version;
  private final String commit;
  private final LocalDate date;

  /** Whether a file of a directory that is packed as a whole is in Git. */
  private final Predicate<Path> isSource;

  private final FileTree tree = new FileTree();

  private SuiteFiles(Path root, String version, String commit, LocalDate date) throws IOException {
    this.root = root;
    this.version = version;
    this.commit = commit;
    this.date = date;
    this.isSource = GitFiles.of(root);
  }

  /**
   * Collects the files.
   *
   * @param root of the source tree
   * @param version of the suite
   * @param commit of the sources, or unknown
   * @param date of the man pages
   * @throws IllegalArgumentException when a file is missing, or a jar has no bill of materials
   */
  static FileTree of(Path root, String version, String commit, LocalDate date) throws IOException {
    SuiteFiles files = new SuiteFiles(root, version, commit, date);
    files.programs();
    files.plugins();
    files.cloudformation();
    files.texts();
    files.tree.add("SHA256SUMS", files.tree.checksums());
    return files.tree;
  }

  private void programs() throws IOException {
    ManPage man = new ManPage(version, date.toString());
    tree.add("lib/launcher.sh", root.resolve("job-support/bin/launcher.sh"));
    for (Program program : Programs.all()) {
      Optional<String> script = program.script();
      if (script.isPresent()) {
        tree.add("bin/" + program.name(), script.get());
      } else {
        Path file = root.resolve(program.module()).resolve("bin").resolve(program.name());
        tree.add("bin/" + program.name(), file);
      }
      jar("lib", program.module(), program.jar(version));
      String completion = AutoComplete.bash(program.name(), program.commandLine().get());
      tree.add("completion/" + program.name(), completion);
      man.pages(program.commandLine().get())
          .forEach((name, page) -> tree.add("man/man1/" + name, page));
    }
    // The name for configurations: it stays the same when the package is updated.
    tree.add("lib/rollup-job-spark.jar", new Entry.Link("rollup-job-" + version + "-spark.jar"));
    for (String script : List.of("report-metrics", "stream-metrics")) {
      tree.add("bin/" + script, root.resolve("docs/operations").resolve(script + ".py"));
    }
  }

  private void plugins() throws IOException {
    for (String plugin : PLUGINS) {
      jar("plugins", plugin, pluginJar(plugin, version));
    }
  }

  static String pluginJar(String plugin, String version) {
    return plugin + "-" + version + "-tsd.jar";
  }

  private void cloudformation() throws IOException {
    Path from = root.resolve("cloudformation");
    for (String directory : CLOUDFORMATION) {
      tree.addAll("cloudformation/" + directory, from.resolve(directory), isSource);
    }
    for (String file : CLOUDFORMATION_FILES) {
      tree.add("cloudformation/" + file, from.resolve(file));
    }
    tree.add("bin/rollup-aws", new Entry.Link("../cloudformation/bin/rollup-aws"));
    jar("lib", "lambda-trigger", "lambda-trigger-" + version + "-lambda.jar");
    tree.add(
        "lib/aws-msk-iam-auth.jar", root.resolve("rollup-job/target/msk/aws-msk-iam-auth.jar"));
  }

  private void texts() {
    tree.addAll("conf", root.resolve("docs/examples"), isSource);
    tree.addAll("docs", root.resolve("docs"), isSource);
    tree.add(
        "docs/operations/" + PROMETHEUS_DASHBOARD,
        root.resolve("dist/target").resolve(PROMETHEUS_DASHBOARD));
    tree.addAll("licenses", root.resolve("licenses"), isSource);
    for (String name : List.of("README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE")) {
      tree.add(name, root.resolve(name));
    }
    tree.add("VERSION", version + "\ncommit " + commit + "\n");
  }

  /** Adds a jar and its bill of materials. */
  private void jar(String directory, String module, String name) throws IOException {
    Path jar = root.resolve(module).resolve("target").resolve(name);
    tree.add(directory + "/" + name, jar);
    String bill = module + ".cdx.json";
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry entry = zip.getEntry("META-INF/sbom/" + bill);
      if (entry == null) {
        throw new IllegalArgumentException(
            "a jar must have its bill of materials, found none in "
                + jar
                + ": build with -Dcyclonedx.skip=false, and not offline");
      }
      byte[] bytes = zip.getInputStream(entry).readAllBytes();
      tree.add("sbom/" + bill, new Entry.Made(bytes, Entry.READABLE));
    }
  }
}
