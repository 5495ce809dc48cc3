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
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Serializes units of the input for the Spark tasks that read them. Widths are in bytes, integers
 * are big-endian, UTF is the format of {@link DataOutputStream#writeUTF}.
 *
 * <pre>
 *   | unit: 4 | parts: 4 | ( name: UTF | size: 8 | modified: 8 | format: UTF | from: 8 | to: 8 )* |
 * </pre>
 */
final class UnitCodec {
  private static final int MOST_FILES = 20;

  private UnitCodec() {}

  /** A deserialized unit, with the formats of its files. */
  record Sent(InputUnit unit, Formats formats) {}

  /** Serializes a unit. */
  static byte[] write(InputUnit unit, Formats formats) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(unit.ordinal());
      out.writeInt(unit.parts().size());
      for (InputPart part : unit.parts()) {
        InputFile file = part.file();
        // An executor may have another working directory.
        out.writeUTF(InputFiles.absolute(file.name()));
        out.writeLong(file.size());
        out.writeLong(file.modifiedMillis());
        out.writeUTF(formats.of(file).key());
        out.writeLong(part.from());
        out.writeLong(part.to());
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot fail to be written", e);
    }
    return bytes.toByteArray();
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
   * Deserializes a unit.
   *
   * @param conf configuration of the file systems
   */
  static Sent read(
      byte[] bytes, Configuration conf, ParseOptions options, InfluxContexts contexts) {
    Map<InputFile, Format> formats = new HashMap<>();
    List<InputPart> parts = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int ordinal = in.readInt();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        InputFile file = InputFiles.again(in.readUTF(), in.readLong(), in.readLong(), conf);
        formats.put(file, Format.of(in.readUTF()));
        parts.add(new InputPart(file, in.readLong(), in.readLong()));
      }
      return new Sent(
          new InputUnit(ordinal, List.copyOf(parts)), Formats.known(formats, options, contexts));
    } catch (IOException e) {
      throw new IllegalStateException("a unit must be read as it was written", e);
    }
  }
}
