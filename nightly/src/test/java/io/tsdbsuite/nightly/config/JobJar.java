package io.tsdbsuite.nightly.config;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A jar with a manifest and nothing else. */
public final class JobJar {
  private JobJar() {}

  /** Writes a jar of a program; returns its path. */
  public static Path write(Path file, String program) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.IMPLEMENTATION_TITLE, program);
    attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, "0.1.0");
    try (OutputStream out = Files.newOutputStream(file)) {
      new JarOutputStream(out, manifest).close();
    }
    return file;
  }
}
