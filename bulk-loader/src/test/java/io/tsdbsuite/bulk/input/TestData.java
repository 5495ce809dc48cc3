package io.tsdbsuite.bulk.input;

import com.github.luben.zstd.Zstd;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.ParseOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.hadoop.conf.Configuration;

/** Files for tests. */
final class TestData {
  private TestData() {}

  static byte[] lines(String name, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(name)
          .append(' ')
          .append(1356998400 + i)
          .append(' ')
          .append(i)
          .append(" host=a\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  static byte[] compress(Compression how, byte[] text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      switch (how) {
        case PLAIN -> bytes.write(text);
        case ZSTD -> bytes.write(Zstd.compress(text));
        case GZIP -> {
          try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text);
          }
        }
        case BZIP2 -> {
          try (OutputStream out = new BZip2CompressorOutputStream(bytes, 1)) {
            out.write(text);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static Path write(Path dir, String name, byte[] content) {
    try {
      Path file = dir.resolve(name);
      Files.createDirectories(file.getParent());
      return Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static InputFile file(Path path) {
    return find(path.toString()).get(0);
  }

  static List<InputFile> find(String... arguments) {
    Configuration conf = new Configuration();
    return InputFiles.find(List.of(arguments), Path.of(""), FilePatterns.ALL, conf, System.in)
        .files();
  }

  static Formats auto(InfluxChoice choice) {
    return Formats.of("auto", ParseOptions.DEFAULT, new InfluxContexts(choice));
  }

  static List<String> names(List<InputFile> files) {
    return files.stream().map(InputFile::name).toList();
  }
}
