package io.tsdbsuite.dist;

import io.tsdbsuite.dist.archive.PackageInfo;
import io.tsdbsuite.dist.tree.Entry;
import io.tsdbsuite.dist.tree.FileTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** The Debian, RPM and Alpine packages, from the files of the tar.gz. */
final class Packages {
  private static final String SUITE = "opentsdb-suite";

  /** OpenTSDB's own packages load every jar in it: docs/kafka-ingest.md. */
  private static final String TSD_LIB = "usr/share/opentsdb/lib/";

  /** Directories of the tar.gz that belong to the tools. */
  private static final String[] TOOLS = {
    "VERSION", "bin/", "cloudformation/", "conf/", "lib/", "licenses/", "sbom/"
  };

  private static final String PYTHON = "python3";

  private final FileTree suite;
  private final String version;

  private Packages(FileTree suite, String version) {
    this.suite = suite;
    this.version = version;
  }

  /**
   * The packages of the plugins and of the tools.
   *
   * @param suite made by {@link SuiteFiles}
   */
  static List<PackageInfo> of(FileTree suite, String version) throws IOException {
    Packages packages = new Packages(suite, version);
    return List.of(
        packages.plugin(
            "histogram-codec", "OpenTSDB codec of sketches, for percentiles with a bounded error"),
        packages.plugin(
            "kafka-ingest", "OpenTSDB plugin that stores points and rollups from Kafka"),
        packages.plugin("rollup-query", "OpenTSDB plugin that answers queries from proven rollups"),
        packages.plugin(
            "tsuid-ratelimiter", "OpenTSDB plugin that tracks the last write of each series"),
        packages.tools());
  }

  private PackageInfo plugin(String plugin, String summary) {
    List<String> description =
        List.of(
            "The jar goes to the libraries of the TSD's package. It is switched on in",
            "opentsdb.conf: see " + plugin + ".md in the documentation of the package.");
    String name = "opentsdb-" + plugin;
    String jar = SuiteFiles.pluginJar(plugin, version);
    FileTree files = new FileTree();
    files.add(TSD_LIB + jar, entry("plugins/" + jar));
    String doc = "usr/share/doc/" + name + "/";
    files.add(doc + "copyright", entry("LICENSE"));
    for (String page : List.of(plugin + ".md", "securing-a-tsd.md")) {
      files.add(doc + page, entry("docs/" + page));
    }
    for (String example : List.of("opentsdb.conf", "opentsdb.service", "rollup_config.json")) {
      files.add(doc + "examples/" + example, entry("docs/examples/" + example));
    }
    files.add(doc + plugin + ".cdx.json", entry("sbom/" + plugin + ".cdx.json"));
    return new PackageInfo(name, version, summary, description, List.of(), List.of(), files);
  }

  private PackageInfo tools() throws IOException {
    FileTree files = new FileTree();
    String share = "usr/share/" + SUITE;
    String doc = "usr/share/doc/" + SUITE;
    files.addAll(share, suite, TOOLS);
    files.addAll(doc, suite, "README.md", "CHANGELOG.md", "SECURITY.md", "docs/");
    files.add(doc + "/copyright", entry("LICENSE"));
    for (Map.Entry<String, Entry> each : suite.entries().entrySet()) {
      String path = each.getKey();
      if (path.startsWith("bin/")) {
        files.add("usr/" + path, new Entry.Link("../share/" + SUITE + "/" + path));
      } else if (path.startsWith("completion/")) {
        String command = path.substring("completion/".length());
        files.add("usr/share/bash-completion/completions/" + command, each.getValue());
      } else if (path.startsWith("man/")) {
        files.add("usr/share/" + path + ".gz", zipped(each.getValue()));
      }
    }
    return new PackageInfo(
        SUITE,
        version,
        "Rollups, bulk loading and reports for OpenTSDB 2.4",
        List.of(
            "The commands rollup-job, bulk-loader, series-report, stream-rollup, rollup-nightly,",
            "report-metrics, stream-metrics and rollup-aws. They need Java 17, the last three",
            "Python 3; rollup-job also needs Spark 3.5, stream-rollup Flink 1.20."),
        List.of("java17-runtime-headless | java21-runtime-headless | default-jre-headless", PYTHON),
        // Each Java provides its own name, and java-headless is the system's, 1.8 on RHEL 8.
        List.of("(java-17-headless or java-21-headless)", PYTHON),
        files);
  }

  private Entry entry(String path) {
    Entry entry = suite.entries().get(path);
    if (entry == null) {
      throw new IllegalArgumentException("the tar.gz must have " + path);
    }
    return entry;
  }

  /** Java's gzip has no time and no name in its header, so that it always makes the same bytes. */
  private static Entry zipped(Entry entry) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream in = ((Entry.Content) entry).open();
        GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      in.transferTo(gzip);
    }
    return new Entry.Made(bytes.toByteArray(), Entry.READABLE);
  }
}
