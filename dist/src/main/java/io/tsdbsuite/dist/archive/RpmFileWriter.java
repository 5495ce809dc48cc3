package io.tsdbsuite.dist.archive;

import io.tsdbsuite.dist.tree.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.eclipse.packager.rpm.RpmTag;
import org.eclipse.packager.rpm.RpmVersion;
import org.eclipse.packager.rpm.build.BuilderContext;
import org.eclipse.packager.rpm.build.BuilderOptions;
import org.eclipse.packager.rpm.build.DigestAlgorithm;
import org.eclipse.packager.rpm.build.FileInformation;
import org.eclipse.packager.rpm.build.RpmBuilder;
import org.eclipse.packager.rpm.build.SimpleFileInformationCustomizer;
import org.eclipse.packager.rpm.deps.RpmDependencyFlags;

/** Writes RPM packages, without signature. */
public final class RpmFileWriter {
  private static final String RELEASE = "1";

  private final Instant time;

  /**
   * @param time the time of every file and of the package
   */
  public RpmFileWriter(Instant time) {
    this.time = time;
  }

  /**
   * Writes a package for all architectures.
   *
   * @return the file: {@code NAME-VERSION-1.noarch.rpm} in the directory
   */
  public Path write(PackageInfo info, Path directory) throws IOException {
    String version = info.packageVersion();
    Path file = directory.resolve(info.name() + "-" + version + "-" + RELEASE + ".noarch.rpm");
    RpmVersion rpmVersion = new RpmVersion(null, version, RELEASE);
    BuilderOptions options = new BuilderOptions();
    options.setFileDigestAlgorithm(DigestAlgorithm.SHA256);
    try (RpmBuilder builder = new RpmBuilder(info.name(), rpmVersion, "noarch", file, options)) {
      RpmBuilder.PackageInformation about = builder.getInformation();
      about.setLicense("Apache-2.0");
      about.setPackager(PackageInfo.MAINTAINER);
      about.setSummary(info.summary());
      about.setDescription(String.join("\n", info.description()));
      about.setGroup("Applications/Databases");
      // Of the machine: no build would be like another.
      about.setBuildHost("localhost");
      for (Recommendation recommended : info.recommends()) {
        builder.addRecommends(recommended.rpm(), null, new RpmDependencyFlags[0]);
      }
      for (String enhanced : info.enhances()) {
        builder.addEnhances(enhanced, null, new RpmDependencyFlags[0]);
      }
      add(info, builder.newContext());
      builder.setHeaderCustomizer(
          header -> header.putInt(RpmTag.BUILDTIME, Math.toIntExact(time.getEpochSecond())));
      builder.build();
    }
    return file;
  }

  private void add(PackageInfo info, BuilderContext context) throws IOException {
    for (String directory : info.files().directories()) {
      if (info.owns(directory)) {
        context.addDirectory("/" + directory, with(Entry.EXECUTABLE));
      }
    }
    for (Map.Entry<String, Entry> each : info.files().entries().entrySet()) {
      String path = "/" + each.getKey();
      if (each.getValue() instanceof Entry.Copied file) {
        context.addFile(path, file.source(), with(file.mode()));
      } else if (each.getValue() instanceof Entry.Made file) {
        context.addFile(path, file.bytes(), with(file.mode()));
      } else if (each.getValue() instanceof Entry.Link link) {
        context.addSymbolicLink(path, link.target(), with(0777));
      }
    }
  }

  private SimpleFileInformationCustomizer with(int mode) {
    return (FileInformation file) -> {
      file.setMode((short) mode);
      file.setTimestamp(time);
    };
  }
}
