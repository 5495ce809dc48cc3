package io.tsdbsuite.dist.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.dist.tree.Entry;
import io.tsdbsuite.dist.tree.FileTree;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.eclipse.packager.rpm.RpmTag;
import org.eclipse.packager.rpm.parse.RpmInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives as other programs' readers see them. */
class ArchivesTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path dir;

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
        List.of(new Recommendation("java17 | java21", "java")),
        List.of("opentsdb"),
        tree);
  }

  private static Map<String, String> tar(byte[] bytes) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(bytes)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        assertThat(entry.getLastModifiedDate().toInstant()).isEqualTo(TIME);
        assertThat(entry.getLongUserId() + entry.getLongGroupId()).isZero();
        assertThat(entry.getUserName() + entry.getGroupName()).isEqualTo("rootroot");
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
    Path deb = new DebWriter(TIME).write(info(), dir);
    assertThat(deb).hasFileName("some-tool_1.2.3~SNAPSHOT_all.deb");
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
            Architecture: all
            Maintainer: %s
            Installed-Size: 2
            Recommends: java17 | java21
            Enhances: opentsdb
            Section: database
            Priority: optional
            Description: A tool
             It has two lines.
             .
             This is the third.
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
    Path rpm = new RpmFileWriter(TIME).write(info(), dir);
    assertThat(rpm).hasFileName("some-tool-1.2.3~SNAPSHOT-1.noarch.rpm");
    Map<String, String> found = new TreeMap<>();
    try (RpmInputStream in = new RpmInputStream(Files.newInputStream(rpm))) {
      assertThat(in.getPayloadHeader().getTag(RpmTag.NAME)).isEqualTo("some-tool");
      assertThat(in.getPayloadHeader().getTag(RpmTag.VERSION)).isEqualTo("1.2.3~SNAPSHOT");
      assertThat(in.getPayloadHeader().getTag(RpmTag.BUILDTIME))
          .isEqualTo((int) TIME.getEpochSecond());
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
        .containsEntry("777 ./usr/bin/run", "../share/some-tool/bin/run")
        .doesNotContainKey("755 ./usr/share")
        .hasSize(5);
  }

  @Test
  void sameFilesMakeSameBytes() throws IOException {
    Path one = Files.createDirectory(dir.resolve("one"));
    Path two = Files.createDirectory(dir.resolve("two"));
    assertThat(new DebWriter(TIME).write(info(), one))
        .hasSameBinaryContentAs(new DebWriter(TIME).write(info(), two));
    assertThat(new RpmFileWriter(TIME).write(info(), one))
        .hasSameBinaryContentAs(new RpmFileWriter(TIME).write(info(), two));
  }
}
