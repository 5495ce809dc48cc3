package io.tsdbsuite.dist.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.dist.tree.Entry;
import io.tsdbsuite.dist.tree.FileTree;
import io.tsdbsuite.testkit.PythonPackages;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.eclipse.packager.rpm.RpmSignatureTag;
import org.eclipse.packager.rpm.RpmTag;
import org.eclipse.packager.rpm.parse.RpmInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives as other programs' readers see them. nFPM gives links no permissions: none count. */
class ArchivesTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path dir;
  private static Path nfpm;

  @BeforeAll
  static void install() throws Exception {
    String version = System.getProperty("nfpm.version");
    nfpm = PythonPackages.install("nfpm-" + version, "nfpm==" + version).home().resolve("bin/nfpm");
  }

  private Path write(String file) throws IOException {
    new PackageWriter(nfpm, TIME, Optional.empty(), Optional.empty()).write(info(), dir);
    return dir.resolve(file);
  }

  private PackageInfo info() throws IOException {
    Path file = Files.writeString(dir.resolve("source"), "of a disk");
    FileTree tree =
        new FileTree()
            .add("usr/share/some-tool/bin/run", "#!/bin/sh\n")
            .add("usr/share/some-tool/text", new Entry.Copied(file, Entry.READABLE))
            .add("usr/bin/run", new Entry.Link("../share/some-tool/bin/run"));
    return new PackageInfo(
        "some-tool",
        "1.2.3-SNAPSHOT",
        "A tool",
        List.of("It has two lines.", "", "This is the third."),
        List.of("java17 | java21"),
        List.of("(java17 or java21)", "other"),
        tree);
  }

  private static Map<String, String> tar(byte[] bytes) throws IOException {
    return tar(
        bytes,
        entry -> {
          assertThat(entry.getLastModifiedDate().toInstant()).isEqualTo(TIME);
          assertThat(entry.getLongUserId() + entry.getLongGroupId()).isZero();
          assertThat(entry.getUserName() + entry.getGroupName()).isIn("rootroot", "");
        });
  }

  private static Map<String, String> tar(byte[] bytes, Consumer<TarArchiveEntry> check)
      throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(bytes)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        check.accept(entry);
        String content =
            entry.isSymbolicLink()
                ? "-> " + entry.getLinkName()
                : new String(tar.readAllBytes(), UTF_8);
        found.put(Integer.toOctalString(entry.getMode() & 0777) + " " + entry.getName(), content);
      }
    }
    return found;
  }

  @Test
  void tarGz() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new TarWriter(TIME).write(info().files(), "some-1/", out);
    assertThat(tar(out.toByteArray()))
        .containsEntry("755 some-1/", "")
        .containsEntry("755 some-1/usr/share/some-tool/bin/", "")
        .containsEntry("755 some-1/usr/share/some-tool/bin/run", "#!/bin/sh\n")
        .containsEntry("644 some-1/usr/share/some-tool/text", "of a disk")
        .containsEntry("777 some-1/usr/bin/run", "-> ../share/some-tool/bin/run")
        .hasSize(9);
  }

  @Test
  void deb() throws IOException {
    Path deb = write("some-tool_1.2.3~SNAPSHOT_all.deb");
    Map<String, byte[]> members = new TreeMap<>();
    List<String> names = new ArrayList<>();
    try (ArArchiveInputStream ar =
        new ArArchiveInputStream(new BufferedInputStream(Files.newInputStream(deb)))) {
      for (ArArchiveEntry entry = ar.getNextEntry(); entry != null; entry = ar.getNextEntry()) {
        names.add(entry.getName());
        members.put(entry.getName(), ar.readAllBytes());
      }
    }
    assertThat(names).containsExactly("debian-binary", "control.tar.gz", "data.tar.gz");
    assertThat(members.get("debian-binary")).asString(UTF_8).isEqualTo("2.0\n");
    Map<String, String> control = tar(members.get("control.tar.gz"));
    assertThat(control.get("644 ./control"))
        .isEqualTo(
            """
            Package: some-tool
            Version: 1.2.3~SNAPSHOT
            Section: database
            Priority: optional
            Architecture: all
            Maintainer: %s
            Installed-Size: 0
            Recommends: java17 | java21
            Description: A tool
             It has two lines.
             .
             This is the third.
            Enhances: opentsdb
            """
                .formatted(PackageInfo.MAINTAINER));
    assertThat(control.get("644 ./md5sums"))
        .contains("  usr/share/some-tool/bin/run\n")
        .hasLineCount(2);
    assertThat(tar(members.get("data.tar.gz")))
        .containsEntry("755 ./usr/share/some-tool/bin/run", "#!/bin/sh\n");
  }

  @Test
  void rpm() throws IOException {
    Path rpm = write("some-tool-1.2.3~SNAPSHOT-1.noarch.rpm");
    Map<String, String> found = new TreeMap<>();
    try (RpmInputStream in = new RpmInputStream(Files.newInputStream(rpm))) {
      assertThat(in.getPayloadHeader().getTag(RpmTag.NAME)).isEqualTo("some-tool");
      assertThat(in.getPayloadHeader().getTag(RpmTag.VERSION)).isEqualTo("1.2.3~SNAPSHOT");
      assertThat(in.getPayloadHeader().getTag(RpmTag.BUILDTIME))
          .isEqualTo((int) TIME.getEpochSecond());
      assertThat(in.getPayloadHeader().getTag(RpmTag.RECOMMEND_NAME))
          .isEqualTo(new String[] {"(java17 or java21)", "other"});
      CpioArchiveInputStream cpio = in.getCpioStream();
      for (CpioArchiveEntry entry = cpio.getNextEntry();
          entry != null;
          entry = cpio.getNextEntry()) {
        assertThat(entry.getTime()).isEqualTo(TIME.getEpochSecond());
        found.put(
            Long.toOctalString(entry.getMode() & 0777) + " " + entry.getName(),
            new String(cpio.readAllBytes(), UTF_8));
      }
    }
    assertThat(found)
        .containsEntry("755 ./usr/share/some-tool", "")
        .containsEntry("755 ./usr/share/some-tool/bin/run", "#!/bin/sh\n")
        .containsEntry("644 ./usr/share/some-tool/text", "of a disk")
        .containsEntry("0 ./usr/bin/run", "../share/some-tool/bin/run")
        .doesNotContainKey("755 ./usr/share")
        .hasSize(5);
  }

  /** Three gzip streams: signature (none here), control, data. */
  @Test
  void apk() throws IOException {
    Map<String, String> found =
        tar(Files.readAllBytes(write("some-tool_1.2.3_pre_noarch.apk")), entry -> {});
    assertThat(found)
        .containsEntry("755 usr/share/some-tool/bin/run", "#!/bin/sh\n")
        .containsEntry("0 usr/bin/run", "-> ../share/some-tool/bin/run");
    assertThat(found.get("600 .PKGINFO"))
        .contains("pkgname = some-tool\n", "pkgver = 1.2.3_pre\n", "arch = noarch\n");
  }

  @Test
  void sameFilesMakeSameBytes() throws IOException {
    PackageWriter writer = new PackageWriter(nfpm, TIME, Optional.empty(), Optional.empty());
    Path one = Files.createDirectory(dir.resolve("one"));
    Path two = Files.createDirectory(dir.resolve("two"));
    writer.write(info(), one);
    writer.write(info(), two);
    try (Stream<Path> files = Files.list(one)) {
      assertThat(files.toList())
          .hasSize(3)
          .allSatisfy(
              file -> assertThat(file).hasSameBinaryContentAs(two.resolve(one.relativize(file))));
    }
  }

  @Test
  void aKeySignsEachPackage() throws Exception {
    Path rsa = dir.resolve("rsa.pem");
    KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    String pem = Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded());
    Files.writeString(rsa, "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n");
    Path pgp = Path.of("src/test/resources/pgp-key-of-tests.asc");
    new PackageWriter(nfpm, TIME, Optional.of(pgp), Optional.of(rsa)).write(info(), dir);
    List<String> members = new ArrayList<>();
    try (ArArchiveInputStream ar =
        new ArArchiveInputStream(
            new BufferedInputStream(
                Files.newInputStream(dir.resolve("some-tool_1.2.3~SNAPSHOT_all.deb"))))) {
      for (ArArchiveEntry entry = ar.getNextEntry(); entry != null; entry = ar.getNextEntry()) {
        members.add(entry.getName());
      }
    }
    assertThat(members).contains("_gpgorigin");
    try (RpmInputStream rpm =
        new RpmInputStream(
            Files.newInputStream(dir.resolve("some-tool-1.2.3~SNAPSHOT-1.noarch.rpm")))) {
      assertThat(rpm.getSignatureHeader().getTag(RpmSignatureTag.PGP)).isNotNull();
    }
    assertThat(tar(Files.readAllBytes(dir.resolve("some-tool_1.2.3_pre_noarch.apk")), entry -> {}))
        .anySatisfy((path, content) -> assertThat(path).contains(".SIGN.RSA"));
  }

  @Test
  void aMissingKeyIsNamed() {
    assertThatThrownBy(
            () -> new PackageWriter(nfpm, TIME, Optional.of(Path.of("no-such")), Optional.empty()))
        .hasMessage("SIGN_KEY must be a file that can be read, found: no-such");
  }
}
