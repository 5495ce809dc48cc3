package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.input.Formats;
import io.tsdbsuite.bulk.input.InputFile;
import io.tsdbsuite.bulk.input.InputFiles;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** Units of the input as bytes, for the Spark tasks that read them. */
final class UnitCodec {
  private static final int MOST_FILES = 20;

  private UnitCodec() {}

  /** A unit for its task, with the formats of its files. */
  record Sent(InputUnit unit, Formats formats) {}

  private record Unit(int ordinal, List<Part> parts) implements Serializable {}

  private record Part(
      String file, long size, long modifiedMillis, Format format, long from, long to)
      implements Serializable {}

  /** The bytes of a unit. */
  static byte[] write(InputUnit unit, Formats formats) {
    List<Part> parts = new ArrayList<>();
    for (InputPart part : unit.parts()) {
      InputFile file = part.file();
      parts.add(
          new Part(
              // An executor may have another working directory.
              InputFiles.absolute(file.name()),
              file.size(),
              file.modifiedMillis(),
              formats.of(file),
              part.from(),
              part.to()));
    }
    return JavaBytes.of(new Unit(unit.ordinal(), parts));
  }

  /** Returns the names of the first 20 files of units, separated by commas, for a message. */
  static String files(LoadInput input, int[] units) {
    return Arrays.stream(units)
        .boxed()
        .flatMap(unit -> input.units().get(unit).parts().stream())
        .map(part -> part.file().name())
        .distinct()
        .limit(MOST_FILES)
        .collect(Collectors.joining(", "));
  }

  /**
   * The unit of these bytes.
   *
   * @param conf configuration of the file systems
   */
  static Sent read(
      byte[] bytes, Configuration conf, ParseOptions options, InfluxContexts contexts) {
    Unit sent = JavaBytes.read(bytes, Unit.class);
    Map<InputFile, Format> formats = new HashMap<>();
    List<InputPart> parts = new ArrayList<>();
    for (Part part : sent.parts()) {
      InputFile file = InputFiles.again(part.file(), part.size(), part.modifiedMillis(), conf);
      formats.put(file, part.format());
      parts.add(new InputPart(file, part.from(), part.to()));
    }
    return new Sent(
        new InputUnit(sent.ordinal(), List.copyOf(parts)),
        Formats.known(formats, options, contexts));
  }
}
