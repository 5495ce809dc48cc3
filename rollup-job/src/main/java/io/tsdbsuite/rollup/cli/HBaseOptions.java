package io.tsdbsuite.rollup.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of a live HBase; {@link HBaseClient} reads them. */
final class HBaseOptions {
  @Option(
      names = "--hbase-property",
      paramLabel = "K=V",
      description =
          "HBase client property for a live HBase: used by --uid-source hbase, --sink"
              + " hfile, load and coverage. Can be repeated.")
  Map<String, String> properties = new LinkedHashMap<>();
}
