package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.text.LineFormat;
import io.tsdbsuite.synthetic.text.LineOrder;
import io.tsdbsuite.synthetic.text.SyntheticText;
import io.tsdbsuite.synthetic.text.TextFiles;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Files of import lines, and of other formats, generated at their first use. */
final class TextInput {
  private TextInput() {}

  /**
   * Files with the points of a shape in the given order; a shuffle extends over all files.
   *
   * @param files number of files, written concurrently
   */
  static List<Path> files(
      Path dir, SyntheticShape shape, LineFormat format, LineOrder order, int files, boolean gzip) {
    TextFiles text =
        new TextFiles(
            new SyntheticText(shape, format, order, Long.MAX_VALUE),
            dir,
            shape.metric() + "-" + order.key() + "-" + shape.points(),
            files,
            gzip);
    List<Path> paths = IntStream.range(0, text.count()).mapToObj(text::path).toList();
    if (!paths.stream().allMatch(Files::exists)) {
      IntStream.range(0, text.count()).parallel().forEach(file -> write(text, file));
    }
    return paths;
  }

  /** Objects of JSON in lines as an array, in a file beside them. */
  static Path array(Path lines) throws IOException {
    Path array = Path.of(lines.toString().replace(".json", "-array.json"));
    try (BufferedReader in = Files.newBufferedReader(lines);
        BufferedWriter out = Files.newBufferedWriter(array)) {
      String before = "[";
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.write(before);
        out.write(line);
        before = ",\n";
      }
      out.write("]\n");
    }
    return array;
  }

  private static void write(TextFiles text, int file) {
    try {
      text.write(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
