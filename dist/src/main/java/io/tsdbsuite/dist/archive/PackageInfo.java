package io.tsdbsuite.dist.archive;

import io.tsdbsuite.dist.tree.FileTree;
import java.util.List;

/**
 * A package for Debian's and RPM's tools. It has no scripts: installing it only places files.
 *
 * @param name the name of the package
 * @param version the suite's version, as Maven writes it: {@code 0.1.0}, {@code 0.1.0-SNAPSHOT}
 * @param summary one line, without a period
 * @param description lines of plain text
 * @param recommends what it is useful with
 * @param enhances packages that this one adds something to
 * @param files the files by their path below /
 */
public record PackageInfo(
    String name,
    String version,
    String summary,
    List<String> description,
    List<Recommendation> recommends,
    List<String> enhances,
    FileTree files) {
  /** Who answers for the package. */
  static final String MAINTAINER = "OpenTSDB suite maintainers <maintainers@tsdbsuite.invalid>";

  /** Copies the lists. */
  public PackageInfo {
    description = List.copyOf(description);
    recommends = List.copyOf(recommends);
    enhances = List.copyOf(enhances);
  }

  /**
   * The version as both tools read it: a tilde sorts before the end, so that a snapshot is older
   * than the release.
   */
  String packageVersion() {
    return version.replace('-', '~');
  }

  /**
   * Whether a directory belongs to this package, so that RPM removes it with the package. It is
   * named by the package or below such a directory; the others belong to the system or to OpenTSDB.
   */
  boolean owns(String directory) {
    return List.of(directory.split("/")).contains(name);
  }
}
