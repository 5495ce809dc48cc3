package io.tsdbsuite.dist.archive;

import io.tsdbsuite.dist.tree.FileTree;
import java.util.List;

/**
 * A package. It has no scripts: installing it only places files. For Debian it enhances the package
 * opentsdb; nFPM has no such field for RPM.
 *
 * @param name the name of the package
 * @param version the suite's version, as Maven writes it: {@code 0.1.0}, {@code 0.1.0-SNAPSHOT}
 * @param summary one line, without a period
 * @param description lines of plain text
 * @param debRecommends packages that are useful, but that may come from elsewhere, as Java does; as
 *     Debian's control file writes them, alternatives included
 * @param rpmRecommends the same as names that RPM packages provide
 * @param files the files by their path below /
 */
public record PackageInfo(
    String name,
    String version,
    String summary,
    List<String> description,
    List<String> debRecommends,
    List<String> rpmRecommends,
    FileTree files) {
  /** Who answers for the package. */
  static final String MAINTAINER = "OpenTSDB suite maintainers <maintainers@tsdbsuite.invalid>";

  /** Copies the lists. */
  public PackageInfo {
    description = List.copyOf(description);
    debRecommends = List.copyOf(debRecommends);
    rpmRecommends = List.copyOf(rpmRecommends);
  }

  /**
   * Whether a directory belongs to this package, so that RPM removes it with the package. It is
   * named by the package or below such a directory; the others belong to the system or to OpenTSDB.
   */
  boolean owns(String directory) {
    return List.of(directory.split("/")).contains(name);
  }
}
