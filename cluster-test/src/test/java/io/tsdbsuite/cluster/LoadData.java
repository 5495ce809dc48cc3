package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The points of {@link Points} as text on HDFS, and in a TSD that was given them by HTTP. */
final class LoadData {
  private final List<DataPoint> points = Points.drawn();
  private final Map<String, SortedMap<Long, Double>> expected;
  private final String directory;

  /** Writes the files and the TSD's tables. */
  LoadData(ClusterStack stack, FileSystem hdfs) throws IOException {
    TsdServer tsd = stack.tsd("judge");
    tsd.client().put(points, 500);
    expected = Values.of(tsd);
    directory = stack.hadoop().uri() + "/history";
    for (int file = 0; file < 3; file++) {
      try (OutputStream out =
          new GZIPOutputStream(hdfs.create(new Path(directory, "part-" + file + ".gz")))) {
        for (int i = file; i < points.size(); i += 3) {
          out.write(line(points.get(i)).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
  }

  private static String line(DataPoint point) {
    StringBuilder line = new StringBuilder();
    line.append(point.metric()).append(' ').append(point.timestamp());
    line.append(' ').append(point.value());
    point.tags().forEach((key, value) -> line.append(' ').append(key + "=" + value));
    return line.append('\n').toString();
  }

  /** What a TSD must answer. */
  Map<String, SortedMap<Long, Double>> expected() {
    return expected;
  }

  int points() {
    return points.size();
  }

  /** The files, as a glob. */
  String input() {
    return directory + "/*.gz";
  }
}
