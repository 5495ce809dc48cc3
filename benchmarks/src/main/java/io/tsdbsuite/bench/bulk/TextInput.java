package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bulk.generate.LineFormat;
import io.tsdbsuite.bulk.generate.LineOrder;
import io.tsdbsuite.bulk.generate.SyntheticShape;
import io.tsdbsuite.bulk.generate.SyntheticText;
import io.tsdbsuite.bulk.generate.TextFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Files of import lines, made when they are asked for the first time. */
final class TextInput {
  private final Path dir;

  TextInput(Path dir) {
    this.dir = dir;
  }

  /**
   * The points of a shape in this order, shuffled over all files if shuffled.
   *
   * @param files how many, written side by side
   */
  List<Path> files(SyntheticShape shape, LineOrder order, int files) {
    TextFiles text =
        new TextFiles(
            new SyntheticText(shape, LineFormat.OPENTSDB, order, Long.MAX_VALUE),
            dir,
            shape.metric() + "-" + order.key() + "-" + shape.points(),
            files,
            false);
    List<Path> paths = IntStream.range(0, text.count()).mapToObj(text::path).toList();
    if (!paths.stream().allMatch(Files::exists)) {
      IntStream.range(0, text.count()).parallel().forEach(text::write);
    }
    return paths;
  }
}
